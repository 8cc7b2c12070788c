/** The screens of a project that show what belongs to one environment. Nothing on the others depends on it. */
const SCREENS: readonly RegExp[] = [
  /^\/overview$/,
  /^\/subscribers(\/(?!transfers$|data-requests$)[^/]+)?$/,
  /^\/revenue(\/(transactions|renewals|billing-issues))?$/,
  /^\/charts(\/(?!sql$|cohorts$|leaderboards$)[^/]+)?$/,
  /^\/charts\/leaderboards\/[^/]+$/,
  /^\/connections\/(webhooks\/[^/]+|deliveries|events|store-events)$/,
]

/** Whether a screen, by its path below the project, shows one environment at a time. */
export const hasEnvironment = (path: string): boolean => SCREENS.some((screen) => screen.test(path))
