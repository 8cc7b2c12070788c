import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, violationsOf } from '../support/console'
import { addMember } from '../support/console-members'
import { soon } from '../support/soon'

// Access for everyone of an audience, as people give it in a browser.

const PATIENCE = 600_000
const DAY = 86_400_000
const BUYERS = ['mira', 'jonas', 'lena']

interface Found {
  items: { id: string; deviceKey: string }[]
}

describe.skipIf(!hasChromium)('a grant to an audience in the console', () => {
  let stage: ConsoleStage
  let audience: string
  const screen = () => `/p/demo/growth/audiences/${audience}`

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, data } = await stage.call(method, `/dashboard/projects/${stage.projectId}${path}`, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status}`)
    return data as T
  }

  /** The end of a person's access by its identifier. */
  async function accessOf(device: string): Promise<Record<string, number | null>> {
    const { items } = await call<Found>('GET', `/subscribers?q=${device}`)
    const { access } = await call<{ access: Record<string, { expiresDate: string | null }> }>(
      'GET',
      `/subscribers/${items.find(({ deviceKey }) => deviceKey === device)?.id}`,
    )
    return Object.fromEntries(
      Object.entries(access).map(([name, { expiresDate }]) => [
        name,
        expiresDate === null ? null : Date.parse(expiresDate),
      ]),
    )
  }

  beforeAll(async () => {
    const bought = (device: string) => ['purchase', '--device', device, '--product', 'coins_100', '--price', '4.99']
    stage = await consoleStage([...BUYERS, 'elif'].map(bought))
    await call('POST', '/access', { identifier: 'vip', displayName: 'VIP' })
    const rules = { 'svc.deviceKey': { $in: BUYERS } }
    audience = (await call<{ id: string }>('POST', '/audiences', { name: 'Outage', rules })).id
  }, PATIENCE)
  afterAll(() => stage?.close(), PATIENCE)

  test(
    'shows to whom it would be given, names the effect, and says what was done',
    async () => {
      const { page, complaints, close } = await stage.open()
      await goTo(page, screen())
      await page.getByRole('button', { name: 'Grant access' }).click()
      const sheet = page.getByRole('dialog', { name: 'Grant access' })
      await soon(async () =>
        expect(await sheet.getByRole('button', { name: 'Grant', exact: true }).getAttribute('title')).toBe(
          'Choose at least one access level.',
        ),
      )
      await sheet.getByLabel('vip').check()
      await sheet.getByLabel('Until').selectOption('7')
      await sheet.getByLabel(/Reason/).fill('the outage')
      const give = sheet.getByRole('button', { name: 'Grant vip to 3 people' })
      await give.waitFor()
      const people = sheet.getByRole('list', { name: 'People who match now' })
      expect((await people.getByRole('listitem').allTextContents()).sort()).toEqual([...BUYERS].sort())
      expect(await violationsOf(page)).toEqual([])
      for (const device of BUYERS) expect(await accessOf(device)).toEqual({})
      await give.click()
      await page.getByRole('status').getByText('Access granted to 3 people').waitFor()
      await sheet.waitFor({ state: 'detached' })
      for (const device of BUYERS) {
        const { vip, ...others } = await accessOf(device)
        expect(others).toEqual({})
        expect(Math.abs((vip ?? 0) - Date.now() - 7 * DAY)).toBeLessThan(600_000)
      }
      expect(await accessOf('elif')).toEqual({})
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'is for the audience as it is saved, and for nobody where it matches nobody',
    async () => {
      const { page, complaints, close } = await stage.open()
      await goTo(page, screen())
      await page.getByLabel('Description').fill('Changed')
      const open = page.getByRole('button', { name: 'Grant access' })
      await soon(async () => expect(await open.getAttribute('title')).toBe('Save or discard the changes first'))
      await page.getByRole('button', { name: 'Discard' }).click()
      const nobody = await call<{ id: string }>('POST', '/audiences', {
        name: 'Nobody',
        rules: { 'svc.country': 'AQ' },
      })
      await goTo(page, `/p/demo/growth/audiences/${nobody.id}`)
      await open.click()
      await page.getByLabel('vip').check()
      const off = page.getByRole('button', { name: 'Grant vip to 0 people' })
      await off.waitFor()
      await soon(async () => expect(await off.getAttribute('title')).toBe('The audience matches nobody now'))
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'is not for people whose role does not allow it, who see the reason',
    async () => {
      const growth = await addMember(stage, 'growth@example.com', 'GROWTH')
      const { page, close } = await stage.open({ cookie: growth.cookie })
      await goTo(page, screen())
      const open = page.getByRole('button', { name: 'Grant access' })
      await open.waitFor()
      await soon(async () =>
        expect([await open.isDisabled(), await open.getAttribute('title')]).toEqual([
          true,
          expect.stringMatching(/^Your role does not allow this\./),
        ]),
      )
      const path = `/dashboard/projects/${stage.projectId}/audiences/${audience}/grants`
      expect(await growth.call('POST', path, { accessIds: ['vip'] })).toEqual({
        status: 403,
        code: 'CAPABILITY_REQUIRED',
      })
      await close()
    },
    PATIENCE,
  )
})
