/**
 * What a locked project cannot open, below the project's path: figures, charts, queries, cohorts, leaderboards, the lists of
 * experiments and funnels, and results. Everything else stays open.
 */
const LOCKED = [
  /^\/(metrics|charts|queries|cohorts|leaderboards|overview)(\/|$)/,
  /^\/commission-rates\/?$/,
  /^\/(experiments|funnels)\/?$/,
  /^\/experiments\/[^/]+\/results\/?$/,
]

export const isLockable = (path: string): boolean => LOCKED.some((pattern) => pattern.test(path))
