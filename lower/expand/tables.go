package expand

// Tables of the expansions of erf, log and pow: one list for each number that an interval
// has, one entry for each interval. They are fits made for these expansions.

// erfTable32 contains the coefficients c0 to c5 of erf about i/8, for f32.
var erfTable32 = [][]float64{
	{
		0, 0x1.1f5e1ap-3, 0x1.1af54ep-2, 0x1.9dd0d2p-2,
		0x1.0a7ef6p-1, 0x1.3f196ep-1, 0x1.6c1c98p-1, 0x1.91724ap-1,
		0x1.af767ap-1, 0x1.c6dad2p-1, 0x1.d8865ep-1, 0x1.e5768cp-1,
		0x1.eea556p-1, 0x1.f4f694p-1, 0x1.f92d08p-1, 0x1.fbe61ep-1,
		0x1.fd9ae2p-1, 0x1.fea422p-1, 0x1.ff4048p-1, 0x1.ff996p-1,
		0x1.ffcaa8p-1, 0x1.ffe514p-1, 0x1.fff2dp-1, 0x1.fff9bap-1,
		0x1.fffd1ap-1, 0x1.fffeb4p-1, 0x1.ffff7p-1, 0x1.ffffc4p-1,
		0x1.ffffe8p-1, 0x1.fffff6p-1, 0x1.fffffcp-1, 0x1.fffffep-1,
	},
	{
		0x1.06eba8p-3, 0x1.1c62fap0, 0x1.0f5d16p0, 0x1.f5f0cep-1,
		0x1.c1efcap-1, 0x1.86e96ap-1, 0x1.492e42p-1, 0x1.0cab62p-1,
		0x1.a911fp-2, 0x1.45e99cp-2, 0x1.e4653p-3, 0x1.5ce596p-3,
		0x1.e72372p-4, 0x1.499d46p-4, 0x1.b0553p-5, 0x1.12ceb6p-5,
		0x1.529b9ap-6, 0x1.94624ap-7, 0x1.d4143p-8, 0x1.06919cp-8,
		0x1.1d833ap-9, 0x1.2ce8cep-10, 0x1.33609ep-11, 0x1.3053dap-12,
		0x1.240aaep-13, 0x1.0f9db8p-14, 0x1.e9aedcp-16, 0x1.abbea4p-17,
		0x1.6a13ep-18, 0x1.2978d2p-19, 0x1.d9a4a4p-21, 0x1.6f8d84p-22,
	},
	{
		0x1.c6fa14p-23, -0x1.1c6136p-3, -0x1.0f5be8p-2, -0x1.786ec8p-2,
		-0x1.c1f398p-2, -0x1.e8a6dep-2, -0x1.edcfbap-2, -0x1.d636cap-2,
		-0x1.a90ab2p-2, -0x1.6e9eaep-2, -0x1.2ec5bep-2, -0x1.dfb45cp-3,
		-0x1.6d6c82p-3, -0x1.0bd90ap-3, -0x1.7a6ab8p-4, -0x1.0165fep-4,
		-0x1.52fa64p-5, -0x1.ae1afep-6, -0x1.07eb16p-6, -0x1.35e4dp-7,
		-0x1.611062p-8, -0x1.8511ep-9, -0x1.ab9fe2p-10, -0x1.ad3534p-11,
		-0x1.850768p-12, -0x1.b28be8p-13, -0x1.ee78f8p-14, -0x1.9da5c6p-14,
		-0x1.3e6b9ep-14, -0x1.1da27ep-19, 0x1.09ce4ap-17, 0x1.1a8facp-15,
	},
	{
		-0x1.812a96p-2, -0x1.6f5352p-2, -0x1.3c9712p-2, -0x1.e10b88p-3,
		-0x1.2bf0d4p-3, -0x1.c83d9ep-5, 0x1.b74af8p-6, 0x1.7c9adp-4,
		0x1.1b65fp-3, 0x1.4cb284p-3, 0x1.571ba8p-3, 0x1.4373dep-3,
		0x1.1c2aap-3, 0x1.d668d8p-4, 0x1.7148c4p-4, 0x1.14394ap-4,
		0x1.8b1234p-5, 0x1.0ea7ep-5, 0x1.63f718p-6, 0x1.c1d36ep-7,
		0x1.118364p-7, 0x1.40578cp-8, 0x1.69f204p-9, 0x1.89a9ap-10,
		0x1.9c63f6p-11, 0x1.a3bdc6p-12, 0x1.9d48ap-13, 0x1.911074p-14,
		0x1.7ce248p-15, 0x1.33e58ep-16, 0x1.edc024p-18, 0x1.71b12cp-20,
	},
	{
		0x1.29f1ecp-12, 0x1.158872p-4, 0x1.015f7ep-3, 0x1.491e96p-3,
		0x1.7e27e2p-3, 0x1.6f43bcp-3, 0x1.49108ap-3, 0x1.f7af4p-4,
		0x1.fcf52ep-5, 0x1.493dd2p-6, 0x1.1d174p-12, -0x1.166e3cp-5,
		-0x1.250ca6p-5, -0x1.71d596p-5, -0x1.4969aap-5, -0x1.d1a35ep-5,
		-0x1.76c6fcp-6, -0x1.3d795ap-6, -0x1.324ad4p-7, -0x1.cb607cp-6,
		-0x1.824f7ap-6, -0x1.14c58cp-6, 0x1.a2f35p-10, -0x1.83f8bp-8,
		-0x1.aa7ddcp-7, 0x1.63f0a6p-11, 0x1.6f788p-8, 0x1.cd975p-7,
		0x1.dc11bap-7, -0x1.9472a2p-10, -0x1.7a8736p-9, -0x1.25cb42p-7,
	},
	{
		0x1.c50d44p-4, 0x1.a43fe4p-4, 0x1.46ff66p-4, 0x1.83d30cp-5,
		0x1.6f4034p-8, -0x1.768ac4p-6, -0x1.dada52p-5, -0x1.107728p-4,
		-0x1.22f052p-4, -0x1.f27946p-5, -0x1.7db73p-5, -0x1.eebd9ap-6,
		-0x1.edfe5p-7, -0x1.ad2e0ap-9, 0x1.b4313p-8, 0x1.8be276p-7,
		0x1.97aaa2p-7, 0x1.8ffa8ep-7, 0x1.533cp-7, 0x1.22167ap-7,
		0x1.b40c5ap-8, 0x1.2f67ccp-8, 0x1.529472p-9, 0x1.e6e8e4p-10,
		0x1.7bf5eap-10, 0x1.163e88p-11, 0x1.a1fa4p-14, -0x1.73b282p-12,
		-0x1.d60626p-12, 0x1.8cf33ap-14, 0x1.01cb38p-13, 0x1.5eca26p-12,
	},
}

// powTable32 contains c, H and L with log₂ m = log₂(m·c) + H + L on interval i, for f32.
var powTable32 = [][]float64{
	{
		0x1.642c86p0, 0x1.5c9882p0, 0x1.555556p0, 0x1.4e5e0ap0,
		0x1.47ae14p0, 0x1.414142p0, 0x1.3b13b2p0, 0x1.3521dp0,
		0x1.2f684cp0, 0x1.29e412p0, 0x1.24924ap0, 0x1.1f7048p0,
		0x1.1a7b96p0, 0x1.15b1e6p0, 0x1.111112p0, 0x1.0c9714p0,
		0x1.08421p0, 0x1.041042p0, 0x1p0, 0x1.f07c2p-1,
		0x1.e1e1e2p-1, 0x1.d41d42p-1, 0x1.c71c72p-1, 0x1.bacf92p-1,
		0x1.af286cp-1, 0x1.a41a42p-1, 0x1.99999ap-1, 0x1.8f9c18p-1,
		0x1.861862p-1, 0x1.7d05f4p-1, 0x1.745d18p-1, 0x1.6c16c2p-1,
	},
	{
		-0x1.e7ep-2, -0x1.c818p-2, -0x1.a9p-2, -0x1.8a88p-2,
		-0x1.6cbp-2, -0x1.4f7p-2, -0x1.32cp-2, -0x1.169cp-2,
		-0x1.f6p-3, -0x1.bfc8p-3, -0x1.8a88p-3, -0x1.564p-3,
		-0x1.22d8p-3, -0x1.e0bp-4, -0x1.7d6p-4, -0x1.1bbp-4,
		-0x1.774p-5, -0x1.744p-6, 0, 0x1.6bap-5,
		0x1.664p-4, 0x1.08c8p-3, 0x1.5cp-3, 0x1.acf8p-3,
		0x1.fbcp-3, 0x1.244p-2, 0x1.49a8p-2, 0x1.6e24p-2,
		0x1.91bcp-2, 0x1.b48p-2, 0x1.d674p-2, 0x1.f7a8p-2,
	},
	{
		0x1.3c9a3cp-19, -0x1.d91c72p-18, 0x1.98151ap-20, -0x1.7eb028p-18,
		-0x1.e8b8bcp-19, 0x1.0597acp-20, 0x1.c5b3bep-23, -0x1.a9e4e2p-24,
		0x1.39ff24p-18, 0x1.8ba1a8p-19, -0x1.8953f6p-19, 0x1.1df758p-18,
		-0x1.6db904p-18, -0x1.af47dap-20, -0x1.767e68p-22, -0x1.8a5e0ap-19,
		0x1.b29decp-19, 0x1.7c573p-23, 0, 0x1.a40876p-18,
		-0x1.238986p-21, -0x1.3c23acp-18, 0x1.a22e68p-19, -0x1.10ea82p-18,
		0x1.6a1ed2p-19, 0x1.e5b6dap-20, -0x1.f2d20ap-20, -0x1.df8adcp-18,
		-0x1.64eeep-20, -0x1.403022p-18, 0x1.3b2086p-18, 0x1.50d21cp-20,
	},
}

// logTable64 contains c and H with log m = log(m·c) + H on interval i, for f64.
var logTable64 = [][]float64{
	{
		0x1.642b43a655385p0, 0x1.5552ec54e9c16p0, 0x1.47aa9c027f374p0, 0x1.3b0f3e2e04496p0,
		0x1.2f62f0ca45414p0, 0x1.248c16a672c8ap0, 0x1.1a749b0348505p0, 0x1.11095ad22c494p0,
		0x1.0839ab29f5806p0, 0x1p0, 0x1.e1cf2ba096674p-1, 0x1.c7092a6ecd9e9p-1,
		0x1.af14a2a347c56p-1, 0x1.99855ba10578bp-1, 0x1.8603b9df9db66p-1, 0x1.74480f8e9fb76p-1,
	},
	{
		-0x1.522742f01dp-2, -0x1.268ee60b82p-2, -0x1.f97c15bd6ep-3, -0x1.a921e7bf82p-3,
		-0x1.5bcfdfb8e8p-3, -0x1.114d863a02p-3, -0x1.92d0ac44fcp-4, -0x1.07e5dc0848p-4,
		-0x1.03118e90ap-5, 0, 0x1.f1e12c8458p-5, 0x1.e31dfcaa58p-4,
		0x1.605104abp-3, 0x1.c964b4d4dcp-3, 0x1.16ac043f4p-2, 0x1.465292fbb3p-2,
	},
}

// powTable64 contains c, H and L with log₂ m = log₂(m·c) + H + L on interval i, for f64.
var powTable64 = [][]float64{
	{
		0x1.642c8590b2164p0, 0x1.5555555555555p0, 0x1.47ae147ae147bp0, 0x1.3b13b13b13b14p0,
		0x1.2f684bda12f68p0, 0x1.2492492492492p0, 0x1.1a7b9611a7b96p0, 0x1.1111111111111p0,
		0x1.0842108421084p0, 0x1p0, 0x1.e1e1e1e1e1e1ep-1, 0x1.c71c71c71c71cp-1,
		0x1.af286bca1af28p-1, 0x1.999999999999ap-1, 0x1.8618618618618p-1, 0x1.745d1745d1746p-1,
	},
	{
		-0x1.e7df5fe538p-2, -0x1.a8ff97181p-2, -0x1.6cb0f6865cp-2, -0x1.32bfee370ep-2,
		-0x1.f5fd8a9064p-3, -0x1.8a8980abfcp-3, -0x1.22dadc2ab4p-3, -0x1.7d60496cf8p-4,
		-0x1.77394c9d9p-5, 0, 0x1.663f6fac9p-4, 0x1.5c01a39fbcp-3,
		0x1.fbc16b9028p-3, 0x1.49a784bcd2p-2, 0x1.91bba891f2p-2, 0x1.d6753e032ep-2,
	},
	{
		-0x1.5652ca22c62dap-43, -0x1.4b94d870dd18bp-43, -0x1.1d51bdaa8e20dp-43, -0x1.cd3aded7f972dp-43,
		0x1.ce5218fd407f7p-47, 0x1.683e1f2893a13p-46, 0x1.6d3cbb0006c6ap-44, -0x1.da57af3675fap-43,
		-0x1.633e624fa8d87p-43, 0, 0x1.317ee20c9d519p-44, 0x1.68a8248f7b77ap-43,
		-0x1.7f2f9ae39c1e8p-43, -0x1.1d9cc2d296ee4p-44, -0x1.1ebb3f1a94fb9p-43, 0x1.41c8b2905e068p-43,
	},
}

// erfTable64 contains the coefficients c0 to c13 of erf about i·25/64, for f64.
var erfTable64 = [][]float64{
	{
		0, 0x1.ad68966569a87p-2, 0x1.762870f720c6fp-1, 0x1.ce1962c0e0d8bp-1,
		0x1.f21c9f12f0677p-1, 0x1.fd0f5317f582fp-1, 0x1.ff87b1913e853p-1, 0x1.fff18ebe2b0e1p-1,
		0x1.fffeb3ebb267bp-1, 0x1.ffffe9bf4098cp-1, 0x1.fffffee3cc32cp-1, 0x1.fffffff57632dp-1,
		0x1.ffffffffb5be5p-1, 0x1.fffffffffe7cp-1, 0x1.fffffffffffa2p-1, 0x1.fffffffffffffp-1,
	},
	{
		0x1.06eba8214db69p-3, 0x1.eff8c4b1375dcp-1, 0x1.39ccc1b136d5ap-1, 0x1.24a55399ea239p-2,
		0x1.92470a61b6965p-4, 0x1.978ae8b55ce1bp-6, 0x1.30499b503957fp-8, 0x1.4ee1429bf7cbep-11,
		0x1.0f9e1b4dd36fp-14, 0x1.44ba8646705a4p-18, 0x1.1e1e857ade707p-22, 0x1.7397c5a675299p-27,
		0x1.63ac6b486e3ffp-32, 0x1.f5cc76254b23ap-38, 0x1.04e17f0842459p-43, 0x1.8fcd94ab68fcdp-50,
	},
	{
		-0x1.dc95c8c83a8fbp-48, -0x1.837a59aa73736p-2, -0x1.ea4feea4e56f7p-2, -0x1.56f1bdf85e214p-2,
		-0x1.3a47801c56bbp-3, -0x1.8dfda7411ffe4p-5, -0x1.6496420207c3bp-7, -0x1.c9d7f91154477p-10,
		-0x1.a8670aa8bb12dp-13, -0x1.1d67f0171143ap-16, -0x1.1769cd7ae1d0ap-20, -0x1.8f2c066a89121p-25,
		-0x1.a0d0b8ddb7615p-30, -0x1.3eb8a72017185p-35, -0x1.574bc9440fa54p-41, -0x1.5428ef0825a8dp-46,
	},
	{
		-0x1.812746b033081p-2, -0x1.cb7bf78e2f06ap-3, 0x1.715e595344637p-5, 0x1.54c0d66d77894p-3,
		0x1.0453f90d3bdd6p-3, 0x1.c24b2053e3378p-5, 0x1.fa73d7eb1b6dfp-7, 0x1.856614216181dp-9,
		0x1.a3737e2a2e7ebp-12, 0x1.40ee07ac5e89ap-15, 0x1.5fe5d474b906bp-19, 0x1.161fb53803c78p-23,
		0x1.3e380ed7cda72p-28, 0x1.085b9949e4b24p-33, 0x1.3fa32ab0bc0d7p-39, 0x1.1a6294a6c0466p-45,
	},
	{
		-0x1.4f899a497aa83p-34, 0x1.5c0fc776875fdp-3, 0x1.22cdbdb439a3p-3, 0x1.cf82bab818901p-7,
		-0x1.8a7c6a232ddf2p-5, -0x1.33137b22f3f59p-5, -0x1.daa30056b7d33p-7, -0x1.c812e5f4be16fp-9,
		-0x1.24544f4585218p-11, -0x1.024885affb7b7p-14, -0x1.405de2ea33d26p-18, -0x1.1a22a8f1c4fe9p-22,
		-0x1.6325c1ff34eadp-27, -0x1.3ad12a7a5e43fp-32, -0x1.d2c4c179d037cp-37, 0x1.c2622174a0995p-39,
	},
	{
		0x1.ce2f22770095p-4, 0x1.4dd7b2d30fc0bp-5, -0x1.da50ae56279fdp-5, -0x1.cf38b99a06693p-5,
		-0x1.075c0880b449ep-7, 0x1.a342ba0e80224p-7, 0x1.250942c3181c9p-7, 0x1.7e02d8bc253c3p-9,
		0x1.2e7e763d74d78p-11, 0x1.3b124fac500e9p-14, 0x1.bfc96acfa0127p-18, 0x1.bb32df3731b5cp-22,
		0x1.35750c39021a3p-26, 0x1.3388d9d01e4b3p-31, 0x1.b6afbcd8885f9p-37, 0x1.a5e5fbf9149edp-43,
	},
	{
		-0x1.53d2b920a1b83p-24, -0x1.9ebc1eb0ff8c2p-5, -0x1.75578d4273d38p-6, 0x1.2c17291e76fd7p-6,
		0x1.16f9c96c9943fp-6, 0x1.b4bb8e0bda319p-10, -0x1.99758256e8b4dp-9, -0x1.c5229fdb72907p-10,
		-0x1.da493408bff63p-12, -0x1.2c5bd038255f7p-14, -0x1.f182d94fe5f4dp-18, -0x1.17aeafc82e06bp-21,
		-0x1.ca681a37b929dp-26, -0x1.c11d231cdce16p-30, 0x1.b34000aa22f7dp-31, -0x1.94e44ff1c1f2ep-32,
	},
	{
		-0x1.b82765e44d048p-6, -0x1.0997892e6dfd2p-8, 0x1.35331cce5a4c8p-6, 0x1.e06b86d4af3fbp-8,
		-0x1.74c2fc4252cc9p-8, -0x1.04937e8482f9bp-8, -0x1.3903de2848c99p-15, 0x1.583413bfd79f8p-11,
		0x1.176cf637fa0d3p-12, 0x1.c5586e7d96057p-15, 0x1.c0c4c826e761bp-18, 0x1.22b6dec4ec771p-21,
		0x1.fe780c6ed2e23p-26, 0x1.36695e43ce3c8p-30, 0x1.ea68a26cb9aacp-36, 0x1.aa5a182e6dc73p-40,
	},
	{
		-0x1.e8221c91fb609p-17, 0x1.70752a9154ad7p-7, 0x1.39c1c692673e8p-10, -0x1.8df98e966eddfp-8,
		-0x1.760b554f751c9p-10, 0x1.9f64ffec2cb43p-10, 0x1.6a750fd7ef063p-11, -0x1.489b107815733p-14,
		-0x1.d2da7bb8bf3bcp-14, -0x1.0cbd5a5785fb5p-15, -0x1.515db9d5af4a8p-18, -0x1.01209ca58f2b2p-21,
		0x1.36f9c4dc43288p-25, 0x1.4191afe2c940fp-25, -0x1.614a7e6751c2bp-25, 0x1.3f82ea565eb51p-26,
	},
	{
		0x1.5d8917f7a5f89p-8, -0x1.89f592145ddc9p-13, -0x1.fc396440cf87fp-9, 0x1.470e15da6506fp-13,
		0x1.a3cd7b9d3d3cap-10, 0x1.6656bfe11eeb7p-14, -0x1.71ebbf2a357ddp-12, -0x1.4fa9a6d4297a1p-14,
		0x1.aafe376b32f54p-16, 0x1.ea498e4e8831dp-17, 0x1.9139dc78fa796p-19, 0x1.70dc5e54242bp-22,
		0x1.a82bd5fdbd7eep-26, 0x1.3045847e1392dp-30, 0x1.0cb506d2db002p-33, -0x1.45a5586089d84p-35,
	},
	{
		-0x1.20b761c22a805p-11, -0x1.044a8ed474fc5p-9, 0x1.9e4be8b963304p-12, 0x1.120265258b904p-10,
		-0x1.0315f8fe5c2a1p-12, -0x1.4e52fef678178p-12, 0x1.59390dac15dadp-15, 0x1.dd03bffed80bbp-15,
		0x1.470fd5502adc1p-18, -0x1.e9f6b4808f367p-18, 0x1.218d9739e2072p-21, -0x1.05154d24b2035p-28,
		-0x1.9f0a1fc72bd9dp-20, -0x1.e46bc444ffb3ap-21, 0x1.01055e794e512p-20, -0x1.d157803873757p-22,
	},
	{
		0x1.e08383356641fp-11, 0x1.5dd56da719dc2p-13, 0x1.303a1cc635c21p-11, -0x1.02f7601c7f86ap-12,
		-0x1.9265e255cf425p-13, 0x1.9a8a0af670153p-14, 0x1.4c754b9e202a1p-15, -0x1.058827d2cd9c1p-16,
		-0x1.ab5b81e6ab1a6p-18, 0x1.1ae67718098b8p-21, 0x1.231a5341eefa8p-21, 0x1.d33da4e2bd47ap-24,
		0x1.dd91faa7ee15bp-27, 0x1.33298a693024fp-29, -0x1.b461058f6a6b4p-30, 0x1.92b1f7d8e84c1p-31,
	},
	{
		-0x1.afe01823cb60bp-9, 0x1.3b1145ea574dcp-12, -0x1.3ccd30ec3954p-13, -0x1.0e90bb5666af4p-13,
		0x1.75c72f4d3acbep-14, 0x1.9c6c269f11617p-15, -0x1.5711953afb2b7p-17, 0x1.778426c299537p-18,
		-0x1.9433c853f7ed2p-18, 0x1.98badea16d248p-16, -0x1.26e0385d2951dp-16, -0x1.f3f6a58d64497p-20,
		0x1.bfd57f519b36p-17, 0x1.084130c4ea4dfp-17, -0x1.18bf20d62ba8cp-17, 0x1.fc46b401b50e6p-19,
	},
	{
		0x1.70efd26970485p-9, 0x1.4974042643d1dp-20, -0x1.4c87806ca4ee9p-14, 0x1.8c9ee210a96c3p-15,
		0x1.7d627d56f2d97p-18, -0x1.33148208540dbp-16, 0x1.290cbe901cc61p-19, 0x1.813b020925f83p-19,
		-0x1.9cd475f9ab505p-22, -0x1.546eee7462f23p-22, 0x1.e05f42951404p-26, 0x1.2fe113b48dba3p-26,
		-0x1.1aee4deb2caefp-26, -0x1.7e8ce2289ba41p-27, 0x1.a071999a1b23p-27, -0x1.787fbef726612p-28,
	},
}
