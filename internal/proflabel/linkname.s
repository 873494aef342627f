// This file is empty. It lets the package declare functions without bodies.
