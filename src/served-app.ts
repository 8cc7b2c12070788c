import { createApp } from './app'
import type { Context } from './base/context'
import { pathOf } from './base/http/request'
import type { Slice } from './base/slice'
import { SLICES } from './slices'

/** What people and their scripts call. */
const OF_PEOPLE = /^\/(dashboard|admin|api\/auth)(\/|$)/

type App = ReturnType<typeof createApp>

/**
 * The application of a server. What people call is mounted when the first such call comes: that is most of the routes,
 * and a server answers devices long before somebody opens the console.
 */
export function createServedApp(ctx: Context, slices: readonly Slice[] = SLICES): App {
  let people: App | undefined
  const mountPeople = (): App => {
    people ??= createApp(ctx, slices, (prefix) => OF_PEOPLE.test(prefix))
    people.server = app.server
    return people
  }
  const app = createApp(ctx, slices, (prefix) => !OF_PEOPLE.test(prefix), {
    fetchOf: ({ url }) => (isOfPeople(url) ? mountPeople().fetch : undefined),
    routes: () => mountPeople().routes,
  })
  return app
}

const LETTERS = ['a', 'd'].map((letter) => letter.charCodeAt(0))

/** Asked of every call, so a letter is compared before the path is cut out. */
function isOfPeople(url: string): boolean {
  const first = url.charCodeAt(url.indexOf('/', url.indexOf('://') + 3) + 1)
  return LETTERS.includes(first) && OF_PEOPLE.test(pathOf(url))
}
