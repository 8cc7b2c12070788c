import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Capability, hasCapability, hasRole, type MemberRole, type Role } from '../../src/core/roles/roles'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, type Visit } from '../support/console'
import { addMember } from '../support/console-members'
import { type Act, actsOn, moveTo, readForSupport, screensOf } from '../support/console-roles'
import { fewerThanInRelease } from '../support/release'
import { soon } from '../support/soon'

const SLOW = 600_000

type Right = Role | Capability

/** Screens that only some roles may read. They are in no menu of the others, and their addresses explain themselves. */
const READERS: Record<string, Right> = {
  '/subscribers/transfers': 'subscribers:write',
  '/subscribers/data-requests': 'subscribers:gdpr',
  '/revenue/scheduled': 'subscribers:write',
  '/charts/sql': 'DEVELOPER',
  '/connections/store-events': 'DEVELOPER',
  '/connections/imports': 'subscribers:import',
  '/connections/comparisons': 'subscribers:import',
  '/connections/data-exports': 'ADMIN',
  '/settings/audit-log': 'ADMIN',
  '/settings/danger': 'OWNER',
}

/** The first two of them see least and about half. The others are tried before a release. */
const ROLES = ['CUSTOMER_SUPPORT', 'DEVELOPER', 'GROWTH', 'ADMIN', 'OWNER', 'SUPPORT_READ'] as const

/** Below such a screen too. Who may read it is told that this one is not there. */
const BELOW = '/connections/imports/imp_01m86wg6jje54a4g53zpyea9er'

/** What the acts of a screen need, by the beginning of its path. The first that fits counts. */
const AREAS: [path: string, right: Right][] = [
  ['/subscribers', 'subscribers:write'],
  ['/revenue/refund-shield', 'OWNER'],
  ['/charts/sql', 'DEVELOPER'],
  ['/charts/cohorts', 'audiences:write'],
  ['/charts/leaderboards', 'leaderboards:write'],
  ['/catalogue/currencies', 'virtual-currency:manage'],
  ['/catalogue', 'products:write'],
  ['/growth/experiments', 'experiments:write'],
  ['/growth/placements', 'placements:write'],
  ['/growth/domains', 'DEVELOPER'],
  ['/growth/audiences', 'audiences:write'],
  ['/growth', 'flags:write'],
  ['/connections/stores', 'OWNER'],
  ['/connections/webhooks', 'webhooks:write'],
  ['/connections/imports', 'subscribers:import'],
  ['/connections/comparisons', 'subscribers:import'],
  ['', 'ADMIN'],
]

/** Acts that need something else than the others of their screen. */
const OWN_RIGHTS: Record<string, Right> = {
  Refund: 'refunds:write',
  'Change a balance': 'credits:write',
  'Data request': 'subscribers:gdpr',
  'Ask the stores again': 'DEVELOPER',
  'Test: Sandbox': 'DEVELOPER',
  'Test: Production': 'DEVELOPER',
  'Delete project': 'OWNER',
  'Make owner': 'OWNER',
  'Grant access': 'subscribers:write',
}

/** What changes nothing of the project, and so is for every member. */
const FOR_ALL = new Set([
  ...['Day', 'Week', 'Month', 'Pause', 'Show', 'JSON', 'Screen', 'Fields', 'Text', 'With ids', 'Show the differences'],
  ...['Export CSV', 'Copy as curl', 'Copy the id', 'Select', 'Open', 'History', 'Annotations', 'Save view', 'Filter'],
  ...['Store', 'Product', 'Country', 'Platform', 'Offering', 'Placement', 'Variant', 'Price', 'Audience', 'Cohort'],
  // The builder of funnels: looking, and the page of the graph that is read.
  ...['Preview', 'As a graph', 'As a list', 'Edit the page'],
  // The calendar of a date field, and what the inbox of the assistant shows.
  ...['Open the calendar', 'Waiting 0', 'Done', 'All'],
  ...['Change and apply', 'Drift', 'Delete what the file leaves out', 'What the roles may do', 'Leave project'],
])

/** What belongs to the person and to no project. */
const OF_THE_PERSON = /^(Add|Remove) .+ (to|from) the favourites$/

/** What every member may do, but nobody who reads for support. */
const WRITTEN_BY_ALL = new Set(['Save view', 'Leave project', 'Show the differences'])

const has = (role: MemberRole, right: Right): boolean =>
  right.includes(':') ? hasCapability(role, right as Capability) : hasRole(role, right as Role)

const rightFor = (path: string, { name }: Act): Right =>
  OWN_RIGHTS[name] ?? AREAS.find(([area]) => path.startsWith(area))?.[1] ?? 'OWNER'

/** What is wrong with an act: it is offered and would be refused, or the role is given as the reason although it has the right. */
function faultOf(role: MemberRole, path: string, act: Act): string[] {
  if (OF_THE_PERSON.test(act.name)) return []
  if (FOR_ALL.has(act.name) && !(role === 'SUPPORT_READ' && WRITTEN_BY_ALL.has(act.name))) return []
  // Only an owner changes another owner; other members are in the same list.
  if (path === '/settings/members' && act.why.includes('needs Owner')) return []
  const right = rightFor(path, act)
  if (act.why === '' && !has(role, right)) return [`${act.name} is offered, and needs ${right}`]
  if (act.why.includes('Your role') && has(role, right)) return [`${act.name} is not offered: ${act.why}`]
  return []
}

describe.skipIf(!hasChromium)('what each role finds in the console', () => {
  let stage: ConsoleStage
  let screens: string[]

  beforeAll(async () => {
    stage = await consoleStage(undefined, { SVC_ADMIN_EMAIL_DOMAINS: 'platform.example' })
    screens = await screensOf(stage)
  }, SLOW)

  afterAll(async () => {
    await stage?.close()
  }, SLOW)

  /** A member with the role, on a page that notes each refused call as a complaint. */
  async function visitAs(role: MemberRole): Promise<Visit> {
    if (role === 'OWNER') return stage.open()
    if (role === 'SUPPORT_READ') return stage.open({ cookie: await readForSupport(stage) })
    const { cookie } = await addMember(stage, `${role.toLowerCase().replace('_', '-')}@example.net`, role)
    return stage.open({ cookie })
  }

  async function faultsOn(visit: Visit, role: MemberRole, path: string): Promise<string[]> {
    const { page, complaints } = visit
    // Somebody who is no member has only the id of the project.
    const project = role === 'SUPPORT_READ' ? stage.projectId : 'demo'
    await moveTo(page, `/p/${project}${path}${path.includes('?') ? '&' : '?'}env=sandbox`)
    const right = path === BELOW ? 'subscribers:import' : READERS[path]
    if (right === undefined || has(role, right)) return (await actsOn(page)).flatMap((act) => faultOf(role, path, act))
    const faults: string[] = []
    const text = (await page.locator('#main').textContent()) ?? ''
    if (!text.includes(`${right.includes(':') ? 'CAPABILITY' : 'ROLE'}_REQUIRED`)) faults.push('does not say why')
    if (!text.includes(role) || !/needs the role [A-Z]/.test(text)) faults.push('does not name the roles')
    if ((await page.locator(`aside a[href*="${path}"]`).count()) > 0) faults.push('is in the menu')
    if (complaints.length > 0) faults.push('asks the server for what is refused')
    return faults
  }

  for (const role of fewerThanInRelease<MemberRole>(2, ROLES))
    test(
      `as ${role}, every screen of the project`,
      async () => {
        const visit = await visitAs(role)
        await goTo(visit.page, '/projects')
        const faults: string[] = []
        for (const path of has(role, 'subscribers:import') ? screens : [...screens, BELOW]) {
          const found = await faultsOn(visit, role, path)
          // A comparison of each night that nobody has set up is not found.
          const complaints = visit.complaints
            .splice(0)
            .filter((one) => !(path.endsWith('/comparisons') && /404/.test(one)))
          faults.push(...[...found, ...complaints].map((fault) => `${path}: ${fault}`))
        }
        expect(faults).toEqual([])
        await visit.close()
      },
      SLOW,
    )

  test(
    'a button that a role may not press says why to the pointer, to keys and to a finger',
    async () => {
      const visit = await stage.open({
        cookie: (await addMember(stage, 'reads@example.net', 'CUSTOMER_SUPPORT')).cookie,
      })
      const { page } = visit
      await goTo(page, '/p/demo/settings/api-keys')
      const create = page.getByRole('button', { name: 'Create key' })
      await create.focus()
      await page.keyboard.press('Enter')
      await page.getByRole('status').filter({ hasText: 'It needs Admin' }).first().waitFor()
      expect(page.url()).not.toContain('do=create')
      await goTo(page, '/p/demo/growth/flags/paywall?do=delete')
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Type paywall to confirm').fill('paywall')
      await soon(async () =>
        expect(await dialog.getByRole('button', { name: 'Delete' }).getAttribute('title')).toContain('It needs Growth'),
      )
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'More' }).focus()
      await page.keyboard.press('Enter')
      const item = page.getByRole('menuitem', { name: 'Delete' })
      await item.and(page.locator(':focus')).waitFor()
      await soon(async () => expect(await item.textContent()).toContain('It needs Growth'))
      await page.keyboard.press('Enter')
      expect(page.url()).not.toContain('do=delete')
      expect(visit.complaints).toEqual([])
      await visit.close()
    },
    SLOW,
  )
})
