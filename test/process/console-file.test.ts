import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, type Visit } from '../support/console'
import { lookAt, toastSaying } from '../support/console-people'
import { LOOKS } from '../support/release'
import { soon } from '../support/soon'

const SLOW = 600_000
const DRIFTED = 'no longer as the project file has'

describe.skipIf(!hasChromium)('the project file beside the forms', () => {
  let stage: ConsoleStage
  let owner: Visit
  let folder: string
  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  const idOf = async (path: string, member: string, name: string): Promise<string> => {
    const { items } = (await stage.call('GET', at(`/${path}?limit=200`))).data as { items: Record<string, string>[] }
    return items.find((one) => one[member] === name)?.id ?? `no ${name}`
  }
  const make = async (path: string, body: object): Promise<void> =>
    expect([path, (await stage.call('POST', at(path), body)).status]).toEqual([path, 201])

  beforeAll(async () => {
    stage = await consoleStage([])
    folder = mkdtempSync(join(tmpdir(), 'svc-console-file-'))
    await make('/webhook-endpoints', { name: 'backend', url: 'https://8.8.8.8/svc', eventTypes: ['*'] })
    await make('/placements', { identifier: 'wall', name: 'Wall', rows: [] })
    const halves = [true, false].map((value) => ({ id: `${value}`, name: `${value}`, weight: 0.5, value }))
    await make('/experiments', {
      key: 'text',
      name: 'Text',
      type: 'FLAG',
      audienceId: null,
      metrics: [],
      variants: halves,
    })
    owner = await stage.open()
  }, SLOW)

  afterAll(async () => {
    await stage?.close()
    if (folder) rmSync(folder, { recursive: true })
  }, SLOW)

  /** The address of an object, and its lines in the file. */
  const objects = async (): Promise<[path: string, line: string][]> => [
    ['/settings?yaml=1', 'slug: demo'],
    [`/catalogue/products/${await idOf('products', 'identifier', 'pro_monthly')}?yaml=1`, 'displayName: Pro Monthly'],
    [`/catalogue/offerings/${await idOf('offerings', 'identifier', 'default')}?yaml=1`, 'headline: Try everything'],
    [`/growth/audiences/${await idOf('audiences', 'name', 'Turkey')}?yaml=1`, 'country: TR'],
    ['/growth/flags/new_onboarding?yaml=1', 'type: BOOLEAN'],
    [`/growth/experiments/${await idOf('experiments', 'key', 'text')}?yaml=1`, 'status: DRAFT'],
    [`/growth/placements/${await idOf('placements', 'identifier', 'wall')}?yaml=1`, 'name: Wall'],
    [`/connections/webhooks/${await idOf('webhook-endpoints', 'name', 'backend')}?yaml=1`, 'url: https://8.8.8.8/svc'],
  ]

  test(
    'every object shows its text',
    async () => {
      const { page } = owner
      for (const [path, line] of await objects()) {
        await goTo(page, `/p/demo${path}`)
        await page.locator('pre', { hasText: line }).first().waitFor()
      }
      for (const path of ['/connections/stores/ios?yaml-ios=1', '/revenue/refund-shield?yaml-refundShield=1']) {
        await goTo(page, `/p/demo${path}`)
        await page.locator('pre', { hasText: 'svc apply -f svc.yaml' }).waitFor()
      }
    },
    SLOW,
  )

  test(
    'the patch of a form does at the command line what saving it does',
    async () => {
      const { page } = owner
      const file = join(folder, 'svc.yaml')
      await stage.svc('export', '--project', 'demo', '-o', file)
      const product = await idOf('products', 'identifier', 'pro_monthly')
      await goTo(page, `/p/demo/catalogue/products/${product}?yaml=1`)
      await page.getByLabel('Name', { exact: true }).fill('Pro: each month')
      const patch = await patchOn(page, '+    displayName: "Pro: each month"')
      const done = Bun.spawnSync(['git', 'apply', '-p1', '-'], { cwd: folder, stdin: Buffer.from(patch) })
      expect([done.exitCode, done.stderr.toString()]).toEqual([0, ''])
      const apply = (...mode: string[]) => stage.svc('apply', '-f', file, '--project', 'demo', ...mode)
      expect(await apply('--dry-run')).toContain('displayName: Pro Monthly -> Pro: each month')
      await page.getByRole('button', { name: /^Save/ }).click()
      await page.getByText(DRIFTED).waitFor()
      expect((await apply('--check')).trim()).toBe('no changes')
      await stage.svc('export', '--project', 'demo', '-o', join(folder, 'after.yaml'))
      expect(readFileSync(file, 'utf8')).toBe(readFileSync(join(folder, 'after.yaml'), 'utf8'))
    },
    SLOW,
  )

  test(
    'a sheet shows the patch of a rename, with the objects that name it',
    async () => {
      const { page } = owner
      const id = await idOf('access', 'identifier', 'pro')
      await goTo(page, `/p/demo/catalogue/access?do=edit&id=${id}&yaml=1`)
      await page.getByRole('dialog').getByLabel('Identifier').fill('premium')
      const patch = await patchOn(page, '+    was: pro')
      expect(patch.split('\n').filter((line) => line === '+    access: [premium]')).toHaveLength(2)
      expect(patch).toContain('-  pro:\n+  premium:')
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    },
    SLOW,
  )

  test(
    'a project that is kept in a file says on every screen that it differs, until it does not',
    async () => {
      const { page } = owner
      await goTo(page, '/p/demo')
      await page.getByText(DRIFTED).waitFor()
      await page.getByRole('link', { name: 'Show the difference' }).click()
      await page.getByText('-displayName: Pro Monthly').waitFor()
      await page.getByText('+displayName: "Pro: each month"').waitFor()
      await page.getByText('svc apply -f svc.yaml --project demo', { exact: true }).waitFor()
      const file = join(folder, 'svc.yaml')
      expect(await stage.svc('apply', '-f', file, '--project', 'demo', '--yes')).toContain('no changes')
      await goTo(page, '/p/demo/settings/project-file?view=drift')
      await page.getByText('Everything that the file names is as the file has it.').waitFor()
      await soon(async () => expect(await page.getByText(DRIFTED).count()).toBe(0))
      writeFileSync(file, readFileSync(file, 'utf8').replace('name: Coins', 'name: Gold'))
      await stage.svc('apply', '-f', file, '--project', 'demo', '--yes')
      const coins = await idOf('virtual-currencies', 'code', 'coins')
      await stage.call('PATCH', at(`/virtual-currencies/${coins}`), { name: '<img src=x onerror=alert(1)>' })
      await goTo(page, '/p/demo/growth')
      await page.getByText(`1 object is ${DRIFTED} it.`).waitFor()
    },
    SLOW,
  )

  for (const { theme, width } of LOOKS)
    test(
      `the screens in ${theme} at ${width}`,
      async () => {
        const visit = await stage.open({ theme, width })
        const screens = {
          'file-drift': '/p/demo/settings/project-file?view=drift',
          'file-product': `/p/demo/catalogue/products/${await idOf('products', 'identifier', 'pro_monthly')}?yaml=1`,
          'file-shield': '/p/demo/revenue/refund-shield?yaml-refundShield=1',
        }
        for (const { path, found, excess } of await lookAt(visit, screens, `${theme}-${width}`)) {
          expect([path, found]).toEqual([path, []])
          expect([path, excess]).toEqual([path, 0])
        }
        expect(visit.complaints).toEqual([])
        await visit.close()
      },
      SLOW,
    )

  test(
    'a project that is kept in no file any more differs from none',
    async () => {
      const { page } = owner
      await goTo(page, '/p/demo/settings/project-file?view=drift')
      await page.getByRole('button', { name: 'Keep the project in no file' }).click()
      await toastSaying(page, 'The project is kept in no file')
      await page.getByText('This project is not kept in a file yet').waitFor()
      await page.getByText(DRIFTED).waitFor({ state: 'detached' })
      expect(owner.complaints).toEqual([])
    },
    SLOW,
  )
})

/** The patch on the screen, once it has this line. */
async function patchOn(page: Page, line: string): Promise<string> {
  const patch = page.locator('pre', { hasText: '--- a/svc.yaml' })
  await patch.filter({ hasText: line }).waitFor()
  return (await patch.textContent()) ?? ''
}
