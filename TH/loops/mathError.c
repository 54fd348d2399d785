/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions: the error function, its complement, and x times the normal distribution.
 *
 * Functions that vary slowly are polynomials in each of 16 pieces, whose terms are chosen from
 * tables: cheaper than one polynomial of twice the degree, and the distance from the middle of a
 * piece is exact, so that the first term alone is rounded to a full unit. erf is such a function;
 * erfc(x) = exp(-x^2) R(x) for x >= 0 with R of that kind (Abramowitz and Stegun, 7.1.23), and x^2
 * as the sum of two numbers, since its rounding would count as often as it is large. Below 0,
 * erfc(x) = 2 - erfc(-x). The middles are numbers where R is nearly a floating-point number; the
 * polynomials are minimax. */
#define TH_VECTOR_PRIVATE
#include <TH/THGeneral.h>
#include <TH/loops/vectorExp.h>

#if defined(TH_HAVE_VECTOR_FUNCTIONS)

/* erf around each of 16 multiples of 25/64 within 2^-59, of floats 17/64 within 2^-30. */
static const double dErfTerms[14][16] = {
    {0, 0x1.ad68966569a87p-2, 0x1.762870f720c6fp-1, 0x1.ce1962c0e0d8bp-1, 0x1.f21c9f12f0677p-1,
     0x1.fd0f5317f582fp-1, 0x1.ff87b1913e853p-1, 0x1.fff18ebe2b0e1p-1, 0x1.fffeb3ebb267bp-1,
     0x1.ffffe9bf4098cp-1, 0x1.fffffee3cc32cp-1, 0x1.fffffff57632dp-1, 0x1.ffffffffb5be5p-1,
     0x1.fffffffffe7cp-1, 0x1.fffffffffffa2p-1, 0x1.fffffffffffffp-1},
    {0x1.20dd750429b6dp0, 0x1.eff8c4b1375dbp-1, 0x1.39ccc1b136d5ap-1, 0x1.24a55399ea239p-2,
     0x1.92470a61b6965p-4, 0x1.978ae8b55ce1bp-6, 0x1.30499b503957fp-8, 0x1.4ee1429bf7ccp-11,
     0x1.0f9e1b4dd36e1p-14, 0x1.44ba86467088p-18, 0x1.1e1e857adc548p-22, 0x1.7397c5a66e2fdp-27,
     0x1.63ac6b4edcd7ap-32, 0x1.f5cc77180b714p-38, 0x1.04e15ecc875ecp-43, 0x1.8fd4e018c4407p-50},
    {0x1.62e0a3b13616ap-61, -0x1.837a59aa733fdp-2, -0x1.ea4feea4e5aedp-2, -0x1.56f1bdf85e61ep-2,
     -0x1.3a47801c56a46p-3, -0x1.8dfda7411cb56p-5, -0x1.649642020335ep-7, -0x1.c9d7f9113cbf7p-10,
     -0x1.a8670aa99a4cap-13, -0x1.1d67f003e924ap-16, -0x1.1769ce59fbd96p-20, -0x1.8f2c0951c4204p-25,
     -0x1.a0ce0dc03b3dp-30, -0x1.3e8649980f9dcp-35, -0x1.64ac1f98be82fp-41, -0x1.24d86a231616dp-47},
    {-0x1.812746b0379eap-2, -0x1.cb7bf78e2de92p-3, 0x1.715e59534347bp-5, 0x1.54c0d66d77646p-3,
     0x1.0453f90d3bd22p-3, 0x1.c24b2053e3386p-5, 0x1.fa73d7eb1b77p-7, 0x1.85661421616c3p-9,
     0x1.a3737e2a2f13p-12, 0x1.40ee07ac504a8p-15, 0x1.5fe5d4756165ap-19, 0x1.161fb53919fc7p-23,
     0x1.3e380dd748993p-28, 0x1.085b86615adebp-33, 0x1.3fa830292a90fp-39, 0x1.19d11ff2bd614p-45},
    {0x1.55cb7f6b94bd8p-46, 0x1.5c0fc7760d1c2p-3, 0x1.22cdbdb4d0402p-3, 0x1.cf82bac1bb1e7p-7,
     -0x1.8a7c6a2399052p-5, -0x1.33137b26e0b5dp-5, -0x1.daa3005c2926bp-7, -0x1.c812e602cb864p-9,
     -0x1.24544f02d8de4p-11, -0x1.02488b68b0ccfp-14, -0x1.405da0482f355p-18, -0x1.1a2239f477a13p-22,
     -0x1.638bc504ace9p-27, -0x1.42569958048c6p-32, -0x1.a62b711e56b0fp-38, -0x1.909da67623ac7p-44},
    {0x1.ce2f21a02f76dp-4, 0x1.4dd7b2ce038fap-5, -0x1.da50ae54a1256p-5, -0x1.cf38b9994f31ap-5,
     -0x1.075c088020f5dp-7, 0x1.a342ba0e7b934p-7, 0x1.250942c310057p-7, 0x1.7e02d8bc34e94p-9,
     0x1.2e7e763d3fbd2p-11, 0x1.3b124fb17d468p-14, 0x1.bfc96a9262bb5p-18, 0x1.bb32ded20f078p-22,
     0x1.35753ad8e6722p-26, 0x1.338c499a501aap-31, 0x1.b5c619803020cp-37, 0x1.c055dfb541fecp-43},
    {0x1.4aa5dc00f4f35p-35, -0x1.9ebc1ddc999aap-5, -0x1.75578f4eb48eep-6, 0x1.2c1727047b5bap-6,
     0x1.16f9c9c9ab711p-6, 0x1.b4bbc4ed5c386p-10, -0x1.997578d32d359p-9, -0x1.c52293948f3f5p-10,
     -0x1.da496e4bb2e53p-12, -0x1.2c5950465f1c8p-14, -0x1.f19ff60fd8cffp-18, -0x1.17c6eec72cebap-21,
     -0x1.b41f30d329a17p-26, -0x1.dd9c46754faabp-31, -0x1.72de1b2ea1ab1p-36,
     -0x1.9b1eba8beb1e8p-42},
    {-0x1.b82ce3f55660bp-6, -0x1.099777f5bac81p-8, 0x1.35331b6601b1ep-6, 0x1.e06b8448d7adep-8,
     -0x1.74c2fca9f3942p-8, -0x1.04937e8044c8cp-8, -0x1.3903db2a52e36p-15, 0x1.583413ac05d31p-11,
     0x1.176cf65936945p-12, 0x1.c5586b3762663p-15, 0x1.c0c4db88b159cp-18, 0x1.22b6eec466c2bp-21,
     0x1.fe694c6296b62p-26, 0x1.35de347338afdp-30, 0x1.07aeb42e51bc5p-35, 0x1.3d70e5e29652ep-41},
    {0x1.9f09114c503f8p-27, 0x1.70748391555cbp-7, 0x1.39c839c72a01p-10, -0x1.8df7e6210ab5bp-8,
     -0x1.760c7a0caf8fep-10, 0x1.9f5a29073c6fdp-10, 0x1.6a6d8b502133bp-11, -0x1.48c1d9ceb7625p-14,
     -0x1.d2ac75790e87ap-14, -0x1.0dba1d20f6413p-15, -0x1.4b9dea855b89bp-18, -0x1.f8ada20328854p-22,
     -0x1.f8afdf556fcaep-26, -0x1.563892cacab77p-30, -0x1.40c7dfac34f47p-35,
     -0x1.a4f26a54d469ap-41},
    {0x1.5659c90ac6d1p-8, -0x1.8a60e994cc41dp-13, -0x1.fc371a2d94acep-9, 0x1.471e58c18143ep-13,
     0x1.a3cdc268dd893p-10, 0x1.665687cd3a49dp-14, -0x1.71ebd00d905f4p-12, -0x1.4fa98e2821ee2p-14,
     0x1.aafde54cf35fcp-16, 0x1.ea4b98046c2a2p-17, 0x1.9133d35cf5af7p-19, 0x1.70d763654556dp-22,
     0x1.aa7792fbaee6bp-26, 0x1.45ee93115de44p-30, 0x1.528fa3cf435cbp-35, 0x1.e687f8ec72594p-41},
    {0x1.b30553d29e70cp-21, -0x1.040dfbe76c178p-9, 0x1.9bf441c9f5895p-12, 0x1.116801401016p-10,
     -0x1.02abc66827ca1p-12, -0x1.4a609889bc851p-12, 0x1.642c5dea69a4ap-15, 0x1.e4131df9f0e6dp-15,
     0x1.04085990d691bp-18, -0x1.31e87e4f278a2p-18, -0x1.8717b09cc0ee2p-20, -0x1.c6754407b2a5fp-23,
     -0x1.35f5a60de5eadp-26, -0x1.0df00c320d679p-30, -0x1.38c3c825bb14ap-35, -0x1.ef626add2c58p-41},
    {-0x1.c2117fef4cda2p-11, 0x1.67844c4d87c25p-13, 0x1.2f60d6e1e082dp-11, -0x1.03b62f3ac7666p-12,
     -0x1.929445d7a6f99p-13, 0x1.9a8f51718d5ap-14, 0x1.4c809b14450ebp-15, -0x1.058f9a2193953p-16,
     -0x1.ab42defc4b484p-18, 0x1.1870dbe5d5237p-21, 0x1.24ecbac7b67bcp-21, 0x1.d4be64d51b74fp-24,
     0x1.84e32566b51fp-27, 0x1.87f8d39b0302bp-31, 0x1.ff7c084143c22p-36, 0x1.ba623b842fb7ep-41},
    {0x1.495fbb361a814p-17, 0x1.2a9402347281fp-12, -0x1.13f3449cd79c6p-13, -0x1.c8e156811c166p-14,
     0x1.675231a2e9ac4p-14, 0x1.10fdab4d07b44p-16, -0x1.6aef8f9f4ec11p-16, -0x1.d7defd719ed58p-20,
     0x1.6b0901c466578p-19, 0x1.a9d106d9af5f5p-22, -0x1.1c2cf7a54dbep-23, -0x1.8f85af4283db7p-25,
     -0x1.adc8b1bbd945ep-28, -0x1.0363007891caep-31, -0x1.86cedad67c12fp-36,
     -0x1.6d6db98e46a3fp-41},
    {0x1.c274e7890d6c1p-14, -0x1.4602730b6e52p-15, -0x1.10766cf5c5c5dp-14, 0x1.c0fea555f92a7p-15,
     0x1.ac1eed7e06829p-18, -0x1.33d1a12eabce8p-16, 0x1.23437a52e22b2p-19, 0x1.82f95106798bap-19,
     -0x1.a84f65ee406f6p-22, -0x1.2f9b61df28eddp-22, 0x1.5d8ad7be5f2e6p-29, 0x1.02dc3d5a2ed8fp-26,
     0x1.88f2c1a5ec48ap-29, 0x1.2122f5ed4d22dp-32, 0x1.f786ecba4a007p-37, 0x1.61321d284374p-41},
};
static const float fErfTerms[7][16] = {
    {0, 0x1.2bd9dcp-2f, 0x1.1855a6p-1f, 0x1.7b0058p-1f, 0x1.bbef1p-1f, 0x1.e11a3ep-1f,
     0x1.f39bc2p-1f, 0x1.fb9f6p-1f, 0x1.fea422p-1f, 0x1.ffa14ap-1f, 0x1.ffe96ap-1f, 0x1.fffb4ap-1f,
     0x1.ffff24p-1f, 0x1.ffffdep-1f, 0x1.fffffcp-1f, 0x1p0f},
    {0x1.20dd76p0f, 0x1.0d2fa6p0f, 0x1.b3aafcp-1f, 0x1.32281ep-1f, 0x1.75a91cp-2f, 0x1.8c0732p-3f,
     0x1.6c7e64p-4f, 0x1.2351c2p-5f, 0x1.94624cp-7f, 0x1.e7744ap-9f, 0x1.fe41dcp-11f,
     0x1.cfd4ccp-13f, 0x1.6e23aep-15f, 0x1.f5f898p-18f, 0x1.2acfb2p-20f, 0x1.34ed12p-23f},
    {-0x1.47ebbp-25f, -0x1.1e0298p-2f, -0x1.cee5acp-2f, -0x1.e7eff2p-2f, -0x1.8d03aep-2f,
     -0x1.06fcc8p-2f, -0x1.2274b8p-3f, -0x1.0ed602p-4f, -0x1.ada87p-6f, -0x1.23547ep-7f,
     -0x1.52d7b2p-9f, -0x1.52d06p-11f, -0x1.23c454p-13f, -0x1.b15758p-16f, -0x1.15ccd2p-18f,
     -0x1.33b7eep-21f},
    {-0x1.812666p-2f, -0x1.34435ep-2f, -0x1.fa04dp-4f, 0x1.b8dafep-5f, 0x1.3952aep-3f,
     0x1.4db286p-3f, 0x1.efba44p-4f, 0x1.1f2d1cp-4f, 0x1.0ea588p-5f, 0x1.a7af3ap-7f, 0x1.16be78p-8f,
     0x1.36a156p-10f, 0x1.26af44p-12f, 0x1.ddb5dap-15f, 0x1.4bb9c4p-17f, 0x1.8ba4d8p-20f},
    {-0x1.c59bf6p-14f, 0x1.1084dp-3f, 0x1.77cc78p-3f, 0x1.196172p-3f, 0x1.88e97cp-5f,
     -0x1.722198p-6f, -0x1.92c71p-5f, -0x1.61680ap-5f, -0x1.afe846p-6f, -0x1.995614p-7f,
     -0x1.39bfc8p-8f, -0x1.8d5facp-10f, -0x1.a5129ep-12f, -0x1.7857b4p-14f, -0x1.1d4e54p-16f,
     -0x1.73e18ep-19f},
    {0x1.d4a302p-4f, 0x1.3624b4p-4f, -0x1.bb772cp-10f, -0x1.e63d64p-5f, -0x1.0de712p-4f,
     -0x1.2e083ep-5f, -0x1.515392p-8f, 0x1.650118p-7f, 0x1.978e16p-7f, 0x1.088064p-7f,
     0x1.f63872p-9f, 0x1.771c4cp-10f, 0x1.c778c6p-12f, 0x1.c9ad18p-14f, 0x1.80d6dap-16f,
     0x1.e1d54cp-19f},
    {-0x1.5b41bcp-7f, -0x1.52854cp-5f, -0x1.8be46ap-5f, -0x1.5532a4p-6f, 0x1.5554bep-7f,
     0x1.6b237p-6f, 0x1.0172d4p-6f, 0x1.34a7cp-8f, -0x1.cf0fbep-10f, -0x1.930b94p-9f,
     -0x1.12eaf4p-9f, -0x1.010e84p-10f, -0x1.704192p-12f, -0x1.a677c8p-14f, -0x1.8d2298p-16f,
     -0x1.bb643p-18f},
};
/* By the last 2 bits of the exponent of x + 2 and the 2 below it: the middle of a piece of [0, 30),
 * and the terms of R around it, within 2^-56. Of floats for x + 1 and [0, 15), within 2^-27. */
static const double dTailMiddle[16] = {0x1.ffffep-3, 0x1.7fffb8p-1, 0x1.4p0,      0x1.bffcb8p0,
                                       0x1.3ffe34p1, 0x1.bffc8p1,   0x1.1fff28p2, 0x1.5ffca6p2,
                                       0x1.c001dcp2, 0x1.2002dp3,   0x1.5fffa8p3, 0x1.9ffe46p3,
                                       0x1.fffe6p3,  0x1.4002dp4,   0x1.7fff7p4,  0x1.bffee8p4};
static const double dTailTerms[15][16] = {
    {0x1.8a6ae2cc44aa4p-1, 0x1.038d6f68b8d9ap-1, 0x1.78a692138767ap-2, 0x1.23d17b08e0517p-2,
     0x1.afbd627052e64p-3, 0x1.3e0cea0f4d91cp-3, 0x1.f5b407efb5f9ep-4, 0x1.9d8e6050d0979p-4,
     0x1.46db17706624bp-4, 0x1.fe67d7e7081cdp-5, 0x1.a2742d426e245p-5, 0x1.627d429a998cp-5,
     0x1.204ec63169323p-5, 0x1.cd97bc9a9bd9ap-6, 0x1.80d2789c4d4bdp-6, 0x1.49ecac6945962p-6},
    {-0x1.7c8584f5882efp-1, -0x1.78ce17d60af95p-2, -0x1.abaacdbfa8b07p-3, -0x1.0c4041009a51p-3,
     -0x1.3089b621c57d7p-4, -0x1.528a99abee422p-5, -0x1.aa410d51acd9p-6, -0x1.2391f50c6d82ep-6,
     -0x1.6e485110461c4p-7, -0x1.c03dd02d89b8bp-8, -0x1.2dddd275c5452p-8, -0x1.b1c1d95ee90f6p-9,
     -0x1.1f322583198dap-9, -0x1.7058189c55882p-10, -0x1.001b2886a7ab5p-10, -0x1.7894abd8e838bp-11},
    {0x1.2b498780f8b24p-1, 0x1.d90103dbc9a4cp-3, 0x1.b56f45eef7e58p-4, 0x1.c8d7d20e1f7cap-5,
     0x1.989b0fec7a72ap-6, 0x1.5d5f40b6a04c6p-7, 0x1.62c409ab6c2b1p-8, 0x1.953012dd29e84p-9,
     0x1.969efebb5bc0cp-10, 0x1.8758417ceb3cdp-11, 0x1.b1c9d25f9ede8p-12, 0x1.089c38ea6b365p-12,
     0x1.1d8a070e1f208p-13, 0x1.2591df6bb7c1bp-14, 0x1.5497c3312d2bep-15, 0x1.ad8ff3217c9c5p-16},
    {-0x1.97998a5895564p-2, -0x1.09e7ca3242256p-3, -0x1.9b635ac624aacp-5, -0x1.6cbc3f3d248a4p-6,
     -0x1.06369186dafedp-7, -0x1.5e66da1e22791p-9, -0x1.2191e84278b34p-10, -0x1.15a141d406a63p-11,
     -0x1.bf495b6b7e8a4p-13, -0x1.53b44ecc26111p-14, -0x1.367420e811855p-15, -0x1.41ec953c5ea2bp-16,
     -0x1.1b59a36ac53dap-17, -0x1.d35f8f39f4194p-19, -0x1.c48fcbe1d5f05p-20,
     -0x1.e9b010e065d8dp-21},
    {0x1.f0acb2ca32a8ap-3, 0x1.1193519ab07e8p-4, 0x1.68a25a6641f51p-6, 0x1.136ae23aee874p-7,
     0x1.4362c4b7d3fefp-9, 0x1.563d3881fdb4fp-11, 0x1.d00d8b3c054c7p-13, 0x1.775fad817637dp-14,
     0x1.e7a5dce31139ap-16, 0x1.2535ad845617cp-17, 0x1.baa3f61c84ee1p-19, 0x1.868ac94d93781p-20,
     0x1.18a4ee1713d4cp-21, 0x1.7394a91dbe8e6p-23, 0x1.2c69903e0ddddp-24, 0x1.16f0296cb9178p-25},
    {-0x1.1469931a59b04p-3, -0x1.054dcaedd7df1p-5, -0x1.299636d6cc712p-7, -0x1.8c01907633329p-9,
     -0x1.80a63a610a31ap-11, -0x1.46173096fcc8p-13, -0x1.6d5a491f1c538p-15, -0x1.f4fe5bd5f0e23p-17,
     -0x1.0785d6d6e595cp-18, -0x1.f756fcdcbb4d9p-21, -0x1.3a572820efb3ep-22, -0x1.d8745475dae59p-24,
     -0x1.15708a48eef26p-25, -0x1.270f8111113f7p-27, -0x1.8e7d334ea8676p-29,
     -0x1.3d9460a5cd57dp-30},
    {0x1.1d0c36e33fb45p-4, 0x1.d43b3fad37ee6p-7, 0x1.d1b695aab7425p-9, 0x1.1073ea56af8fp-10,
     0x1.ba9689b772c07p-13, 0x1.2f90d8cf16571p-15, 0x1.1adb9bf19eb73p-17, 0x1.4a2b9486e5f97p-19,
     0x1.1a67ca1835dd9p-21, 0x1.ada9e905b0916p-24, 0x1.bcc1d4e07de5bp-26, 0x1.1cfa170af90dbp-27,
     0x1.11c1be51cb138p-29, 0x1.d4069e0211b9bp-32, 0x1.08113988c30cap-33, 0x1.6958b664f57eap-35},
    {-0x1.132dc7200c05dp-5, -0x1.8c9890dd0a6c6p-8, -0x1.5b8bc93bee955p-10, -0x1.68444e9e0c8c1p-12,
     -0x1.ede329ee14ec1p-15, -0x1.14794013f6982p-17, -0x1.af0170ab4b3f6p-20, -0x1.adf4a64f3a48p-22,
     -0x1.2c2485a4fcf19p-24, -0x1.6ccb4dbb6a461p-27, -0x1.3974e34c0edfp-29, -0x1.56d62638e6b4dp-31,
     -0x1.0d9e6437dedc5p-33, -0x1.72bdcc744bbeap-36, -0x1.5dae989938ab1p-38,
     -0x1.9ae30b5f2ad01p-40},
    {0x1.f54d0081e538p-7, 0x1.3f822534e0cf8p-9, 0x1.f0fe6fb55bb6dp-12, 0x1.cb5cbdd754f4ap-14,
     0x1.0bd4916772727p-16, 0x1.ed4520c7b6d7bp-20, 0x1.435c12260b1a9p-22, 0x1.14b19537e971ap-24,
     0x1.3c6bb9ca72bfbp-27, 0x1.3412ee748b519p-30, 0x1.b830fdaa6adccp-33, 0x1.9b4ffaebead66p-35,
     0x1.090ce170231b6p-37, 0x1.2552cf0918b0cp-40, 0x1.cea95de64202fp-43, 0x1.d2ed1ef24e12cp-45},
    {-0x1.b1820ed77537ap-8, -0x1.ec0e28ad778a7p-11, -0x1.55c0913d6a8a6p-13, -0x1.1b33f4c98f264p-15,
     -0x1.1adc56d4f9c05p-18, -0x1.af774aa5ab7bfp-22, -0x1.de151034f5f49p-25, -0x1.601d34a15afdbp-27,
     -0x1.4af50d2792a67p-30, -0x1.02d04daeb2c72p-33, -0x1.33f1fc4918b1ep-36, -0x1.ec1f853e543c7p-39,
     -0x1.04150a8ca1e38p-41, -0x1.cf961c013d38dp-45, -0x1.31d03dd362e94p-47, -0x1.09236f7e5ca7p-49},
    {0x1.65b09f7ec809ep-9, 0x1.6b98fb3de9a97p-12, 0x1.c5703f0d79fbp-15, 0x1.5281d28b06f2ap-17,
     0x1.235be51c5133ap-20, 0x1.7267675e9bc8cp-24, 0x1.5c6dec6a7d43p-27, 0x1.bb3189c99439ep-30,
     0x1.577bb095f6b4cp-33, 0x1.b09df9eca2ddp-37, 0x1.ad49bb683a9d2p-40, 0x1.259c4c9aacb68p-42,
     0x1.fd782a3218fb2p-46, 0x1.6de61a011346p-49, 0x1.93ef93051de9fp-52, 0x1.2cec4ae62e84ep-54},
    {-0x1.1aa74f27380e5p-10, -0x1.02a0e918c6de4p-13, -0x1.22ef1b0152d4fp-16, -0x1.88fffac34c063p-19,
     -0x1.24c82f264d40ap-22, -0x1.3829f0f41eb55p-26, -0x1.f4ccc0fd8519bp-30, -0x1.13e71953928acp-32,
     -0x1.6140c23ef1bp-36, -0x1.677fa83a553bfp-40, -0x1.2a0c7499aa70fp-43, -0x1.5d59989ea75f1p-46,
     -0x1.f16f60117bb78p-50, -0x1.204b34ab0e8ebp-53, -0x1.0a79bfca4848cp-56,
     -0x1.55467841c31cep-59},
    {0x1.adbc54ee6f4a1p-12, 0x1.636743b60ba61p-15, 0x1.6a0ec5e2e7e91p-18, 0x1.bc1b5c9323d2bp-21,
     0x1.20286782fb153p-24, 0x1.02cfb01d31797p-28, 0x1.634eee88599cfp-32, 0x1.540bf240bea7ap-35,
     0x1.6932273e185bp-39, 0x1.29707eaae0cbep-43, 0x1.9c8524239e43p-47, 0x1.9ea414cb2ce91p-50,
     0x1.e57304a0c6df8p-54, 0x1.c5ff35cad4cfbp-58, 0x1.5f62c7a4f307p-61, 0x1.82dac3560fc72p-64},
    {-0x1.440b3542f1f85p-13, -0x1.e4115df64ec1ep-17, -0x1.be7997d33ef0bp-20, -0x1.f160697ab660cp-23,
     -0x1.247b9fbe3c425p-26, -0x1.b6622c3e389cdp-31, -0x1.ffe7cf8e11d2dp-35, -0x1.a7d8fa3991d6bp-38,
     -0x1.8596499b9d14ep-42, -0x1.fdb1e0a8913edp-47, -0x1.24872a71fa6f1p-50, -0x1.f50828872b174p-54,
     -0x1.f48b748490471p-58, -0x1.726e6e68d9052p-62, -0x1.db02201e42b98p-66,
     -0x1.bea054e29e011p-69},
    {0x1.c734d683d4701p-15, 0x1.368d290438d63p-18, 0x1.05b370da676e7p-21, 0x1.0ab1b05062dep-24,
     0x1.12912294c8a69p-28, 0x1.5ed0faa74385ap-33, 0x1.618c751910f3fp-37, 0x1.ff5dcb2d65a32p-41,
     0x1.87fb0fe7ba29cp-45, 0x1.a1769fe63820ep-50, 0x1.91d9ad28a9b5dp-54, 0x1.27a3be62c6aacp-57,
     0x1.e66c7084183dap-62, 0x1.23149781c0705p-66, 0x1.389ac3c8dec5dp-70, 0x1.f98cf6c6c6109p-74},
};
static const float fTailMiddle[16] = {0x1.3e2p0f,  0x1.c348p0f, 0x1.2276p1f,  0x1.618cp1f,
                                      0x1.bfe4p1f, 0x1.1e86p2f, 0x1.60bp2f,   0x1.9e6p2f,
                                      0x1p3f,      0x1.3f6p3f,  0x1.7f88p3f,  0x1.bee8p3f,
                                      0x1.02p-3f,  0x1.818p-2f, 0x1.42a8p-1f, 0x1.bc48p-1f};
static const float fTailTerms[7][16] = {
    {0x1.7a3904p-2f, 0x1.221a12p-2f, 0x1.d5ce7ep-3f, 0x1.8b0f8cp-3f, 0x1.3e1d1ep-3f, 0x1.f82b0ap-4f,
     0x1.9cc27ep-4f, 0x1.60ceaap-4f, 0x1.1ea8c4p-4f, 0x1.cccc58p-5f, 0x1.804bb2p-5f, 0x1.4a18f8p-5f,
     0x1.bea28ap-1f, 0x1.5eb2ecp-1f, 0x1.1bf1b6p-1f, 0x1.ddd074p-2f},
    {-0x1.aee344p-3f, -0x1.095596p-3f, -0x1.657392p-4f, -0x1.01136cp-4f, -0x1.52ac14p-5f,
     -0x1.ae5dcep-6f, -0x1.2276e2p-6f, -0x1.aa1966p-7f, -0x1.1a5888p-7f, -0x1.6dbdep-8f,
     -0x1.fd828p-9f, -0x1.784358p-9f, -0x1.d132f8p-1f, -0x1.39adb4p-1f, -0x1.b7b51ap-2f,
     -0x1.4639e8p-2f},
    {0x1.b9fba8p-4f, 0x1.c1df18p-5f, 0x1.00f34cp-5f, 0x1.403972p-6f, 0x1.5d9194p-7f, 0x1.67cfacp-8f,
     0x1.92eabcp-9f, 0x1.fd0efep-10f, 0x1.141094p-10f, 0x1.20e624p-11f, 0x1.509ee6p-12f,
     0x1.abcf66p-13f, 0x1.8407dep-1f, 0x1.d1385p-2f, 0x1.22ca42p-2f, 0x1.8578b6p-3f},
    {-0x1.a0ac86p-5f, -0x1.65b5e6p-6f, -0x1.5f85c4p-7f, -0x1.7f80ecp-8f, -0x1.5e98fap-9f,
     -0x1.26f312p-10f, -0x1.1392c2p-11f, -0x1.2ce4acp-12f, -0x1.0bf17cp-13f, -0x1.c6345ap-15f,
     -0x1.bb4a54p-16f, -0x1.e532f4p-17f, -0x1.1589d2p-1f, -0x1.2d7958p-2f, -0x1.55efaap-3f,
     -0x1.a3524ap-4f},
    {0x1.6e3484p-6f, 0x1.0d0bdcp-7f, 0x1.cc0aa8p-9f, 0x1.bb263cp-10f, 0x1.5681f6p-11f,
     0x1.dad96cp-13f, 0x1.73e95p-14f, 0x1.602676p-15f, 0x1.0249bp-16f, 0x1.6376bep-18f,
     0x1.22f26p-19f, 0x1.127f74p-20f, 0x1.610f44p-2f, 0x1.5fb6ecp-3f, 0x1.6e1106p-4f,
     0x1.9f1c8ep-5f},
    {-0x1.338f2ep-7f, -0x1.86582ep-9f, -0x1.24281p-10f, -0x1.f39304p-12f, -0x1.4e1c8p-13f,
     -0x1.7d3924p-15f, -0x1.f56ff6p-17f, -0x1.9b76b2p-18f, -0x1.faf954p-20f, -0x1.196222p-21f,
     -0x1.810cdep-23f, -0x1.386a44p-24f, -0x1.9b7a44p-3f, -0x1.7ad5fcp-4f, -0x1.6c85aep-5f,
     -0x1.808dbap-6f},
    {0x1.d767p-9f, 0x1.132ddep-10f, 0x1.7084dep-12f, 0x1.15026p-13f, 0x1.35f7d6p-15f,
     0x1.1f21e8p-17f, 0x1.4dcc48p-19f, 0x1.cc5a12p-21f, 0x1.e1be88p-23f, 0x1.ae85dep-25f,
     0x1.f1e478p-27f, 0x1.59e4cap-28f, 0x1.b7c5cep-4f, 0x1.79c996p-5f, 0x1.56765cp-6f,
     0x1.464642p-7f},
};

TH_INLINE THVectorD dErfUsual(THVectorD x)
{
    const THVectorD size = dAtMost(dAbs(x), 6);
    const THVectorD shifted = dFma(size, dAll(64 / 25.), dAll(0x1.8p52));
    const THVectorD within = dFnma(shifted - dAll(0x1.8p52), dAll(25 / 64.), size);
    return dCopysign(dPieces(within, dBits(shifted), dErfTerms, 14), x);
}
TH_INLINE THVectorF fErfUsual(THVectorF x)
{
    const THVectorF size = fAtMost(fAbs(x), 4);
    const THVectorF shifted = fFma(size, fAll(64 / 17.f), fAll(0x1.8p23f));
    const THVectorF within = fFnma(shifted - fAll(0x1.8p23f), fAll(17 / 64.f), size);
    return fCopysign(fPieces(within, fBits(shifted), fErfTerms, 7), x);
}
/* Next to 0, where the machine has trouble with numbers that small at every step, the first term
 * alone. */
TH_RARE THVectorD dErfTiny(THVectorD x, THMaskD tiny)
{
    const THVectorD usual = dErfUsual(dSelect(tiny, dAll(1), x));
    return dSelect(tiny, x * dAll(0x1.20dd750429b6dp0), usual);
}
TH_RARE THVectorF fErfTiny(THVectorF x, THMaskF tiny)
{
    const THVectorF usual = fErfUsual(fSelect(tiny, fAll(1), x));
    return fSelect(tiny, x * fAll(0x1.20dd76p0f), usual);
}
TH_INLINE THVectorD dErf(THVectorD x)
{
    const THMaskD tiny = dLess(dAbs(x), dAll(0x1p-60));
    return TH_LIKELY_NONE(tiny) ? dErfUsual(x) : dErfTiny(x, tiny);
}
TH_INLINE THVectorF fErf(THVectorF x)
{
    const THMaskF tiny = fLess(fAbs(x), fAll(0x1p-60f));
    return TH_LIKELY_NONE(tiny) ? fErfUsual(x) : fErfTiny(x, tiny);
}
TH_DEFINE_1_SINGLY(erf, dErf, fErf)

/* factor * exp(-(square + rest)) R(x) for x >= 0, up to 28, of floats below 15. */
TH_INLINE THVectorD dTail(THVectorD factor, THVectorD x, THVectorD square, THVectorD rest)
{
    const THVectorD shifted = dFnma(square, dAll(0x1.71547652b82fep0), dAll(0x1.8p48));
    const THVectorD k = shifted - dAll(0x1.8p48), high = dFnma(k, dAll(0x1.62e42fefap-1), -square);
    const THVectorD r = dFnma(k, dAll(0x1.cf79abc9e3b3ap-40), high) - rest;
    const THVectorBits piece = dLastBits(x + dAll(2));
    const THVectorD smooth = dPieces(x - dTable(dTailMiddle, piece), piece, dTailTerms, 15);
    const THVectorD size = factor * dTable(dExp2Table, dBits(shifted)) * smooth;
    return dScaleAbove(dFma(size, dExpm1Near0(r), size), k, -1090);
}
TH_INLINE THVectorF fTail(THVectorF factor, THVectorF x, THVectorF square, THVectorF rest)
{
    const THVectorF shifted = fFnma(square, fAll(0x1.715476p0f), fAll(0x1.8p19f));
    const THVectorF k = shifted - fAll(0x1.8p19f), high = fFnma(k, fAll(0x1.62ep-1f), -square);
    const THVectorF r = fFnma(k, fAll(0x1.0bfbe8p-15f), high) - rest;
    const THVectorBits piece = fLastBits(x + fAll(1));
    const THVectorF smooth = fPieces(x - fTable(fTailMiddle, piece), piece, fTailTerms, 7);
    const THVectorF size = factor * fTable(fExp2Table, fBits(shifted)) * smooth;
    return fScaleAbove(fFma(size, fExpm1Near0(r), size), k, -160);
}

TH_INLINE THVectorD dErfc(THVectorD x)
{
    const THVectorD size = dAtMost(dAbs(x), 27.5), square = size * size;
    const THVectorD tail = dTail(dAll(1), size, square, dFms(size, size, square));
    return dSelect(dLess(x, dAll(0)), dAll(2) - tail, tail);
}
TH_INLINE THVectorF fErfc(THVectorF x)
{
    const THVectorF size = fAtMost(fAbs(x), 14), square = size * size;
    const THVectorF tail = fTail(fAll(1), size, square, fFms(size, size, square));
    return fSelect(fLess(x, fAll(0)), fAll(2) - tail, tail);
}
TH_DEFINE_1(erfc, dErfc, fErfc)

/* x less |x| / 2 erfc(|x| / sqrt 2), below 0 without x, with the exact square of x: the root's
 * rounding changes R alone. Of -infinity NaN, as of 0 times infinity. */
TH_INLINE THVectorD dGelu(THVectorD x)
{
    const THVectorD size = dAtMost(dAbs(x), 38.8), half = dAll(0.5) * size, square = half * size;
    const THVectorD root = size * dAll(0x1.6a09e667f3bcdp-1);
    const THVectorD tail = dTail(half, root, square, dFms(half, size, square));
    return dSelect(dLess(x, dAll(0)), x * dAll(0), x) - tail;
}
TH_INLINE THVectorF fGelu(THVectorF x)
{
    const THVectorF size = fAtMost(fAbs(x), 19), half = fAll(0.5f) * size, square = half * size;
    const THVectorF root = size * fAll(0x1.6a09e6p-1f);
    const THVectorF tail = fTail(half, root, square, fFms(half, size, square));
    return fSelect(fLess(x, fAll(0)), x * fAll(0), x) - tail;
}
TH_DEFINE_1(gelu, dGelu, fGelu)

#endif
