// Written by fit.py: do not edit. Polynomials have their constant term first.
#pragma once

constexpr double kLn2_0 = 0x1.62e42fee00000p-1;
constexpr double kLn2_1 = 0x1.a39ef35793c76p-33;
constexpr double kLn10_0 = 0x1.26bb1bbb55515p+1;
constexpr double kLn10_1 = 0x1.05ba95b58ae0bp-52;
constexpr double kLog10Of2_0 = 0x1.3441350800000p-2;
constexpr double kLog10Of2_1 = 0x1.f79fef311f12bp-34;
constexpr double kInvLn2_0 = 0x1.71547652b82fep+0;
constexpr double kInvLn2_1 = 0x1.777d0ffda0d24p-56;
constexpr double kInvLn10_0 = 0x1.bcb7b1526e50ep-2;
constexpr double kInvLn10_1 = 0x1.95355baaafad3p-57;
constexpr double kPiOver2_0 = 0x1.921fb54400000p+0;
constexpr double kPiOver2_1 = 0x1.0b4611a600000p-34;
constexpr double kPiOver2_2 = 0x1.3198a2e037073p-69;
constexpr double kPiOver2_3 = 0x1.129024e088a68p-123;
constexpr double kPi_0 = 0x1.921fb54442d18p+1;
constexpr double kPi_1 = 0x1.1a62633145c07p-53;
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kLog2Of10 = 0x1.a934f0979a371p+1;
constexpr double kTwoOverSqrtPi = 0x1.20dd750429b6dp+0;
// largest error of the fit: 1.4e-18
constexpr double kExp[] = {
    0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555556p-5,  0x1.11111111100dcp-7,
    0x1.6c16c16c162d5p-10, 0x1.a01a01abe78f9p-13, 0x1.a01a01a6d84aap-16, 0x1.71de0232f4775p-19,
    0x1.27e4db653346ep-22, 0x1.af4de6a36d4fcp-26, 0x1.1f7301a8efa5cp-29,
};
// largest error of the fit: 2.69e-11
constexpr double kExpSingle[] = {
    0x1.0000000000000p-1,  0x1.5555556752826p-3,  0x1.5555555c86d13p-5,  0x1.1110c63476727p-7,
    0x1.6c16858cf08f7p-10, 0x1.a151760b496bbp-13, 0x1.a1131d0be06e8p-16,
};
// largest error of the fit: 2.11e-18
constexpr double kLog3[] = {
    0x1.5555555555555p-1, 0x1.9999999999a3ap-2, 0x1.2492492476765p-2, 0x1.c71c7201f207cp-3,
    0x1.745cf8c4c7bcap-3, 0x1.3b1c42e3df02cp-3, 0x1.0fbd2bafa02d6p-3, 0x1.0c1263e1bac13p-3,
};
// largest error of the fit: 7.34e-12
constexpr double kLogSingle[] = {
    0x1.5555555565120p-1, 0x1.999998c94c6b8p-2, 0x1.2493253caaf95p-2, 0x1.c67a2fa260450p-3, 0x1.8c98fcdc42a0ap-3,
};
// largest error of the fit: 2.82e-16
constexpr double kLog5[] = {
    0x1.999999999999fp-2, 0x1.249249248e475p-2, 0x1.c71c71d811c69p-3, 0x1.745d09d5cea91p-3,
    0x1.3b18c07ffffa4p-3, 0x1.1017b2e6717d6p-3, 0x1.0884ab56572e0p-3,
};
// largest error of the fit: 1.16e-20
constexpr double kSin[] = {
    -0x1.5555555555555p-3,  0x1.1111111111110p-7,  -0x1.a01a01a019936p-13, 0x1.71de3a54605eep-19,
    -0x1.ae64541266378p-26, 0x1.61217ec01749dp-33, -0x1.ab17a79237a19p-41,
};
// largest error of the fit: 6.45e-22
constexpr double kCos[] = {
    0x1.5555555555555p-5,  -0x1.6c16c16c16c16p-10, 0x1.a01a01a019d0ap-16, -0x1.27e4fb7712bdfp-22,
    0x1.1eed8deb6d561p-29, -0x1.9394b9c9c20a4p-37, 0x1.ab783376962cfp-45,
};
// largest error of the fit: 2.81e-11
constexpr double kSinSingle[] = {
    -0x1.555555545dd83p-3,
    0x1.11110deeb33b2p-7,
    -0x1.a013a6edc8f34p-13,
    0x1.6dbdd26f56d2dp-19,
};
// largest error of the fit: 2.35e-12
constexpr double kCosSingle[] = {
    0x1.5555555502be6p-5,
    -0x1.6c16bf5495185p-10,
    0x1.a015c40ec65ecp-16,
    -0x1.25242a3a17327p-22,
};
// largest error of the fit: 3.2e-17
constexpr double kAtan[] = {
    -0x1.5555555555555p-2, 0x1.999999999933dp-3, -0x1.24924924355d5p-3, 0x1.c71c7184c32bfp-4,
    -0x1.745d0b153ffadp-4, 0x1.3b126143b5cbcp-4, -0x1.10fa5ee9ab25cp-4, 0x1.dfe49b2919c4ep-5,
    -0x1.a090d1950d2b4p-5, 0x1.41495cefb6c73p-5, -0x1.39f38ad451ea6p-6,
};
// largest error of the fit: 1.51e-17
constexpr double kAsin[] = {
    0x1.5555555555556p-3, 0x1.3333333332ec4p-4,  0x1.6db6db6e3292ep-5, 0x1.f1c71c1d4aa0dp-6, 0x1.6e8bb1d89492bp-6,
    0x1.1c4d343fa57f6p-6, 0x1.c9cf3759fd8ffp-7,  0x1.78246f32d075cp-7, 0x1.524ea8b3aad31p-7, 0x1.653a8f8cfd43cp-8,
    0x1.1d661531b222ep-6, -0x1.e7a24f548c99fp-7, 0x1.d78189767524ep-6,
};
// largest error of the fit: 8.25e-19
constexpr double kErf[] = {
    0x1.06eba8214db69p-3,  -0x1.812746b0379e0p-2,  0x1.ce2f21a0424c3p-4,  -0x1.b82ce31257412p-6,
    0x1.565bcd03657c0p-8,  -0x1.c02db1220cfe6p-11, 0x1.f9a2afa3a8f86p-14, -0x1.f4c5debf1228ap-17,
    0x1.b90ecd4aeec12p-20, -0x1.564f71bbc0d35p-23, 0x1.8a312cb07e6ccp-27,
};
// largest error of the fit: 1.53e-19
constexpr double kErfcx[] = {
    0x1.43cc6f6c9672cp+0,   -0x1.f52c5d7e22302p-4,  -0x1.959ac16f8571fp-4,  0x1.42d379989b5eap-3,
    -0x1.a5c0c8a403ba7p-4,  0x1.0c6092a5a1ebdp-5,   0x1.e8948959e5ca1p-11,  -0x1.1f2f13252484bp-8,
    0x1.01e11d40985d5p-11,  0x1.4b6a4952d3629p-11,  -0x1.731c052edc209p-14, -0x1.dc254688619fbp-14,
    0x1.a48e495296b78p-18,  0x1.7cccf12d1eef6p-16,  0x1.5de10b783f128p-19,  -0x1.1a909e98dde98p-18,
    -0x1.a8c17bc7fc493p-20, 0x1.126b022361524p-21,  0x1.1ea3156a2ba05p-21,  0x1.d3edeed7369ffp-25,
    -0x1.1e677ec349c64p-23, -0x1.e43eba47c8b3cp-25, 0x1.ffd1fdb597e3bp-26,  0x1.ef61c631e6451p-27,
    -0x1.afb74794ed12bp-28,
};
// largest error of the fit: 8.43e-19
constexpr double kGamma[] = {
    0x1.c5bf891b4ef6bp-1,  0x1.08ea88ee561b2p-5,   0x1.a8c4dba620d62p-2,  -0x1.b77ac1ca2ebc4p-4,
    0x1.283bd374ea140p-3,  -0x1.3d88cfe504937p-4,  0x1.e022b74492dadp-5,  -0x1.374fd5cd6a141p-5,
    0x1.a752c64df56b9p-6,  -0x1.1a2c293acbda4p-6,  0x1.7991ee81016cfp-7,  -0x1.f7fc6d20efc03p-8,
    0x1.504cc8c4c0843p-8,  -0x1.c09fa693cbfc4p-9,  0x1.2b52a6fbf3048p-9,  -0x1.8f2be63625a54p-10,
    0x1.084be8db95414p-10, -0x1.606b57e7334acp-11, 0x1.f4d423febd85dp-12, -0x1.4de4bab1d6d22p-12,
    0x1.192c9a82f15fdp-13, -0x1.76e75bc4d1b5ap-14, 0x1.76e8b52b8ad09p-13, -0x1.f3e1335b1f73ap-14,
};
// largest error of the fit: 4.09e-22
constexpr double kStirling[] = {
    0x1.5555555555555p-4,  -0x1.6c16c16c16c0bp-9,  0x1.a01a01a00116ep-11, -0x1.381380e9c5b5ep-11,
    0x1.b9516963cb8cfp-11, -0x1.f677b5e4719e7p-10, 0x1.9e027768ce529p-8,  -0x1.80d9b6a8f212ep-6,
};
constexpr double kHalfLog2Pi = 0x1.d67f1c864beb5p-1;
constexpr double kTwoThirds_0 = 0x1.5555555555555p-1;
constexpr double kTwoThirds_1 = 0x1.5555555555555p-55;
// largest error of the fit: 3.49e-21
constexpr double kLgamma[] = {
    -0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1,  -0x1.9a4d55beab2d7p-2, 0x1.151322ac7d848p-2,  -0x1.a8b9c17aa6182p-3,
    0x1.5b40cb100c33ep-3,  -0x1.2703a1dce81dep-3, 0x1.010b36af8429bp-3,  -0x1.c806706ea81d4p-4, 0x1.9a01e3871df52p-4,
    -0x1.748c32d209878p-4, 0x1.556ad5f48f697p-4,  -0x1.3b1d9ef3ece67p-4, 0x1.2496e725ef0f5p-4,  -0x1.1112888f64abbp-4,
    0x1.000058b986f4fp-4,  -0x1.e1f7f736568c6p-5, 0x1.c731825530081p-5,  -0x1.ae34fed7cfcb7p-5, 0x1.98ac13a0b2d63p-5,
    -0x1.8e3682818aad9p-5, 0x1.7c47d8da15011p-5,  -0x1.30d68520d8698p-5, 0x1.23448e393d34dp-5,  -0x1.1b3701d8294fap-4,
    0x1.11f40109baee8p-4,  0x1.efee007869d80p-5,  -0x1.e6e3b61feb4dfp-5, -0x1.0a1ff84f14403p-2, 0x1.032f84a254d26p-2,
    0x1.30c4ec0d8290bp-2,  -0x1.2950853734134p-2, -0x1.1d2353d52d8a7p-2, 0x1.15c2472327219p-2,
};
// 2/pi, 64 bits a word after the binary point
constexpr unsigned long long kTwoOverPiWords[] = {
    0,  // the reduction may start before the point
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
};
