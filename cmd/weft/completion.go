package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var completionCommand = command{
	name: "completion", args: "bash|zsh|fish", short: "write a script that completes command lines",
	long: `completion writes a script for a shell that completes the names of commands,
options and files:

    source <(weft completion bash)      in ~/.bashrc
    source <(weft completion zsh)       in ~/.zshrc
    weft completion fish | source       in ~/.config/fish/config.fish
`,
	run: runCompletion,
}

func runCompletion(e *env, words []string) int {
	if len(words) != 1 {
		return misused(e, "completion", "takes the name of a shell; name bash, zsh or fish")
	}
	switch words[0] {
	case "bash":
		fmt.Fprint(e.out, bashScript())
	case "zsh":
		fmt.Fprint(e.out, "autoload -U +X bashcompinit && bashcompinit\n"+bashScript())
	case "fish":
		fmt.Fprint(e.out, fishScript())
	default:
		return misused(e, "completion", "there is no script for %s; there are bash, zsh, fish", words[0])
	}
	return done
}

var optionName = regexp.MustCompile(`--[a-z][a-z-]*`)

// options returns the options of the form --name in a command's help.
func (c command) options() []string {
	o := append(optionName.FindAllString(c.args, -1), optionName.FindAllString(c.long, -1)...)
	slices.Sort(o)
	return slices.Compact(o)
}

func bashScript() string {
	var names, cases strings.Builder
	for _, c := range commands {
		names.WriteString(c.name + " ")
		if o := c.options(); len(o) > 0 {
			fmt.Fprintf(&cases, "\t%s) words=%q ;;\n", c.name, strings.Join(o, " "))
		}
	}
	return `_weft() {
	local current=${COMP_WORDS[COMP_CWORD]} words=""
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W "` + names.String() + `help" -- "$current"))
		return
	fi
	case ${COMP_WORDS[1]} in
` + cases.String() + `	help) words="` + strings.TrimSpace(names.String()) + `" ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current") $(compgen -f -- "$current"))
}
complete -F _weft weft
`
}

func fishScript() string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "complete -c weft -n __fish_use_subcommand -a %s -d '%s'\n", c.name, strings.ReplaceAll(c.short, "'", `\'`))
		for _, o := range c.options() {
			fmt.Fprintf(&b, "complete -c weft -n '__fish_seen_subcommand_from %s' -l %s\n", c.name, strings.TrimPrefix(o, "--"))
		}
	}
	return b.String()
}
