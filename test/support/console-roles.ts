import type { Page } from 'playwright-core'
import { codeAt } from './authenticator-app'
import type { ConsoleStage } from './console'
import { untilTrue } from './console'
import { cookieOf, postTo } from './console-people'

/** Makes one object of each kind that has a screen, and answers with the path of every screen of the project. */
export async function screensOf(stage: ConsoleStage): Promise<string[]> {
  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  const make = async (path: string, body: object): Promise<string> => {
    const { status, data } = await stage.call('POST', at(path), body)
    if (status !== 201) throw new Error(`POST ${path} answered with ${status}`)
    return (data as { id: string }).id
  }
  const firstOf = async (path: string): Promise<string> =>
    ((await stage.call('GET', at(path))).data as { items: { id: string }[] }).items[0]?.id ?? `no ${path}`
  const variants = [true, false].map((value) => ({ id: `${value}`, name: `${value}`, weight: 0.5, value }))
  const experiment = { key: 'text', name: 'Text', type: 'FLAG', audienceId: null, metrics: [], variants }
  const endpoint = { name: 'backend', url: 'https://8.8.8.8/svc', eventTypes: ['*'] }
  const cohort = { identifier: 'buyers', name: 'Buyers', definition: { event: 'purchase.initial' } }
  return [
    '/overview',
    ...['', '/transfers', '/data-requests', `/${await firstOf('/subscribers')}`].map((path) => `/subscribers${path}`),
    ...['', '/transactions', '/renewals', '/billing-issues', '/scheduled', '/refund-shield'].map(
      (path) => `/revenue${path}`,
    ),
    ...['', '/mrr', '/sql', '/cohorts', '/leaderboards'].map((path) => `/charts${path}`),
    `/charts/cohorts/${await make('/cohorts', cohort)}`,
    `/charts/leaderboards/${await make('/leaderboards', { identifier: 'top', name: 'Top', metric: 'spend', window: 'all' })}`,
    ...['', '/access', '/offerings', '/currencies', `/products/${await firstOf('/products')}`].map(
      (path) => `/catalogue${path}`,
    ),
    '/catalogue/waiting',
    `/catalogue/offerings/${await firstOf('/offerings')}`,
    ...[
      '',
      '/flags/paywall',
      '/experiments',
      '/placements',
      '/domains',
      '/assets',
      '/fonts',
      '/audiences',
      '/funnels',
    ].map((path) => `/growth${path}`),
    `/growth/experiments/${await make('/experiments', experiment)}`,
    `/growth/placements/${await make('/placements', { identifier: 'wall', name: 'Wall', rows: [] })}`,
    `/growth/audiences/${await firstOf('/audiences')}`,
    `/growth/funnels/${await firstOf('/funnels')}`,
    ...['', '/stores/ios', '/stores/android', '/stores/payment', '/webhooks'].map((path) => `/connections${path}`),
    `/connections/webhooks/${await make('/webhook-endpoints', endpoint)}`,
    ...['/deliveries', '/events', '/integrations', '/forwarding', '/former-sdk', '/store-events'].map(
      (path) => `/connections${path}`,
    ),
    ...['/imports', '/comparisons', '/data-exports'].map((path) => `/connections${path}`),
    ...[
      '',
      '/api-keys',
      '/members',
      '/notifications',
      '/assistant',
      '/assistant/model',
      '/usage',
      '/audit-log',
      '/support',
    ].map((path) => `/settings${path}`),
    ...['', '?view=apply', '?view=drift'].map((query) => `/settings/project-file${query}`),
    '/settings/danger',
  ]
}

/** Goes to another screen without loading the page again, and waits until all of it is there. */
export async function moveTo(page: Page, path: string): Promise<void> {
  const isHere = `location.pathname === new URL(${JSON.stringify(path)}, location).pathname`
  await page.evaluate(
    `${isHere} || document.querySelector('h1')?.setAttribute('data-left', document.querySelector('h1').textContent)`,
  )
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
  const isNew = `[...document.querySelectorAll('h1')].some((one) => one.dataset.left !== one.textContent)`
  await untilTrue(page, `${isNew} && !document.querySelector('#main [aria-busy=true]')`)
}

/** One thing that can be done on a screen. */
export interface Act {
  name: string
  /** Why it cannot be done; empty when it can. */
  why: string
}

/** Runs in the page: its buttons and switches, and the items of its menus. Those that only copy, rows, and the pages of a funnel, which are
 * chosen, are left out. */
const ACTS = `(() => {
  const main = document.getElementById('main')
  const spoken = (one) => {
    const copy = one.cloneNode(true)
    for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove()
    return copy.textContent
  }
  const nameOf = (one) => one.getAttribute('aria-label') ?? spoken(one.closest('label') ?? one)
  const actOf = (one) => ({
    name: nameOf(one).trim(),
    why: one.matches(':disabled, [aria-disabled=true]') ? one.title || one.closest('[title]')?.title || 'off' : '',
  })
  const isAct = (one) => one.checkVisibility() && !one.closest('[data-row], [role=menu], [data-copy], [data-page]') && !one.ariaHasPopup
  const acts = [...main.querySelectorAll('button, [role=switch]')].filter(isAct).map(actOf)
  for (const button of main.querySelectorAll('button[popovertarget]')) {
    const menu = document.getElementById(button.getAttribute('popovertarget'))
    menu.showPopover()
    acts.push(...[...menu.querySelectorAll('button[role^=menuitem]')].map(actOf))
    menu.hidePopover()
  }
  return acts
})()`

export const actsOn = async (page: Page): Promise<Act[]> => (await page.evaluate(ACTS)) as Act[]

const STAFF = { email: 'staff@platform.example', password: 'a long staff password' }
const HALF_MINUTE = 30_000

/** The session of an administrator of the platform who reads the project for support. */
export async function readForSupport({ svc, url, projectId }: ConsoleStage): Promise<string> {
  const made = JSON.parse(await svc('user', 'create', '--email', STAFF.email, '--json')) as { passwordLink: string }
  const token = made.passwordLink.split('/').at(-1)?.split('=').at(-1)
  await postTo(url, '/api/auth/password-reset/confirm', { token, password: STAFF.password })
  const first = `svc_session=${cookieOf(await postTo(url, '/api/auth/sign-in', STAFF))}`
  const enabled = await postTo(url, '/dashboard/me/two-factor/enable', { password: STAFF.password }, first)
  const { otpauthUrl } = ((await enabled.json()) as { data: { otpauthUrl: string } }).data
  await postTo(url, '/dashboard/me/two-factor/confirm', { code: codeAt(otpauthUrl, Date.now()) }, first)
  const challenge = cookieOf(await postTo(url, '/api/auth/sign-in', STAFF), 'svc_challenge')
  // A code counts once, so the second one is that of the next half minute.
  const code = codeAt(otpauthUrl, Date.now() + HALF_MINUTE)
  const session = cookieOf(await postTo(url, '/api/auth/two-factor', { code }, `svc_challenge=${challenge}`))
  const grant = { reason: 'A question of the customer', hours: 1 }
  const granted = await postTo(url, `/admin/projects/${projectId}/support-grants`, grant, `svc_session=${session}`)
  if (!granted.ok) throw new Error(`support access was refused: ${await granted.text()}`)
  return session
}
