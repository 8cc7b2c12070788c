/** `<key>:<variantId>` on an answer that came through an experiment (wire 1.4). Set before the tag: 304 carries it too. */
export const EXPERIMENT_HEADER = 'x-svc-experiment'
