import { Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { Skeleton } from './kit/empty'
import { makePart, type Part, usePart } from './lib/part'
import type { ScreenModule, ScreenRoute } from './lib/screen'
import { warmable } from './lib/warm'
import { routes as account } from './screens/account/routes'
import { routes as catalogue } from './screens/catalogue/routes'
import { routes as charts } from './screens/charts/routes'
import { routes as connections } from './screens/connections/routes'
import { routes as growth } from './screens/growth/routes'
import { routes as overview } from './screens/overview/routes'
import { routes as platform } from './screens/platform/routes'
import { routes as revenue } from './screens/revenue/routes'
import { routes as settings } from './screens/settings/routes'
import { routes as signIn } from './screens/sign-in/routes'
import { routes as subscribers } from './screens/subscribers/routes'
import { AccountFrame, ProjectFrame } from './shell/frame'
import { Gate } from './shell/gate'
import { Home } from './shell/home'
import { Missing } from './shell/missing'
import { ScreenBoundary } from './shell/screen-boundary'
import { fetchPart } from './shell/server-state'
import { load as loadText } from './text/catalogue'

const PROJECT = [overview, subscribers, revenue, charts, catalogue, growth, connections, settings].flat()

/** Every screen by its address. */
export const Screens = () => (
  <Suspense fallback={<Waiting />}>
    <Switch>
      {SIGN_IN.map(screenOf)}
      <Route path="/p/:slug/*?">
        {({ slug }) => (
          <Gate>
            <ProjectFrame slug={slug}>
              <Below screens={PROJECT_SCREENS} />
            </ProjectFrame>
          </Gate>
        )}
      </Route>
      <Route path="/*?">
        <Gate>
          <AccountFrame>
            <Below screens={OWN_SCREENS} />
          </AccountFrame>
        </Gate>
      </Route>
    </Switch>
  </Suspense>
)

type Screen = readonly [path: string, part: Part<ScreenModule>]

const toScreen =
  (prefix: string) =>
  ([path, load, ...areas]: ScreenRoute): Screen => {
    const part = makePart(async () => {
      const [screen] = await Promise.all([fetchPart(load), loadText('common'), ...areas.map((area) => loadText(area))])
      return screen
    })
    warmable(`${prefix}${path}`, part.fetch)
    return [`${prefix}${path}`, part]
  }

const SIGN_IN = signIn.map(toScreen(''))
const PROJECT_SCREENS = PROJECT.map(toScreen('/p/:slug'))
const OWN_SCREENS = [...account, ...platform].map(toScreen(''))

const screenOf = ([path, part]: Screen) => (
  <Route key={path} path={path}>
    <PartScreen part={part} />
  </Route>
)

/** A screen with its texts, or lines in their place. */
function PartScreen({ part }: { part: Part<ScreenModule> }) {
  const screen = usePart(part)
  return screen ? <screen.default /> : <Waiting />
}

/** The screens inside of a frame. The frame stays while a screen's code is fetched. */
const Below = ({ screens }: { screens: readonly Screen[] }) => (
  <ScreenBoundary>
    <Suspense fallback={<Waiting />}>
      <Switch>
        {screens.map(screenOf)}
        <Route path="/p/:slug">{({ slug }) => <Redirect to={`/p/${slug}/overview`} replace />}</Route>
        <Route path="/" component={Home} />
        <Route component={Missing} />
      </Switch>
    </Suspense>
  </ScreenBoundary>
)

const Waiting = () => (
  <div className="p-6">
    <Skeleton lines={5} />
  </div>
)
