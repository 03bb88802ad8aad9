export { type BcaParts, bcaInterval } from "./statistics/bca-interval.ts";
export { type BootstrapOptions, bootstrapMean, type Clustered, type MeanInterval } from "./statistics/bootstrap-mean.ts";
export { type Estimate, fitLogistic, type LogisticFit, type SizedQuality } from "./statistics/fit-logistic.ts";
export { adjustHolm } from "./statistics/holm.ts";
