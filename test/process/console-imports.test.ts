import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { reasonText } from '../../src/core/reason/reasons'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, shoot, type Visit, violationsOf } from '../support/console'
import { addMember } from '../support/console-members'
import { expectSoundScreens } from '../support/console-screens'
import { answerFailed } from '../support/failed-answers'
import { tempFolder } from '../support/process'
import { soon } from '../support/soon'

const SLOW_MS = 900_000
const DAY = 86_400_000

/** A file of a shop of one's own: two people with a purchase each, a line that cannot be read, a product nobody knows. */
function ownFile(): string {
  const at = (days: number) => new Date(Date.now() + days * DAY).toISOString()
  return [
    'customer,shop,sku,bought,until,tx,paid,money,<b>note</b>',
    `nora,apple,com.example.demo.pro.monthly,${at(-3)},${at(27)},700001,9.99,EUR,hello`,
    `山田 🎌,apple,com.example.demo.pro.yearly,${at(-3)},${at(362)},700002,79.99,EUR,"<img src=x onerror=""alert(1)"">"`,
    `otto,apple,com.example.demo.pro.monthly,soon,${at(27)},700003,9.99,EUR,`,
    `pia,apple,com.example.unknown,${at(-3)},${at(27)},700004,0.01,EUR,`,
    '',
  ].join('\n')
}

const VENDOR_FILE = [
  'rc_original_app_user_id,store_transaction_id,store,product_identifier,start_time,end_time',
  'rc_1,800001,app_store,com.example.demo.pro.monthly,2026-01-01 00:00:00,2026-02-01 00:00:00',
  '',
].join('\n')

/** Runs in the page: what a person drags who has selected two files. */
const TWO_FILES = `(() => {
  const dragged = new DataTransfer()
  for (const name of ['one.csv', 'two.csv']) dragged.items.add(new File(['customer'], name, { type: 'text/csv' }))
  return dragged
})()`

const MAPPED = [
  ['customer', 'subscriberExternalId'],
  ['shop', 'store'],
  ['sku', 'productIdentifier'],
  ['bought', 'purchaseDate'],
  ['until', 'expiresDate'],
  ['tx', 'originalTransactionId'],
  ['paid', 'price'],
  ['money', 'currency'],
] as const

describe.skipIf(!hasChromium)('imports', () => {
  let stage: ConsoleStage
  beforeAll(async () => {
    stage = await consoleStage([])
  }, SLOW_MS)
  afterAll(() => stage?.close())

  const people = async (q: string) => {
    const { data } = await stage.call('GET', `/dashboard/projects/${stage.projectId}/subscribers?q=${q}`)
    return (data as { items: unknown[] }).items.length
  }

  const productNames = async () => {
    const { data } = await stage.call('GET', `/dashboard/projects/${stage.projectId}/products?limit=200`)
    return (data as { items: { identifier: string }[] }).items.map(({ identifier }) => identifier)
  }

  const visiting = async (work: (visit: Visit) => Promise<void>, options: Parameters<ConsoleStage['open']>[0] = {}) => {
    const visit = await stage.open(options)
    try {
      await work(visit)
    } finally {
      await visit.close()
    }
  }

  const send = async (page: Page, name: string, text: string) => {
    await goTo(page, '/p/demo/connections/imports')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, 'utf8') })
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }

  test(
    'a file is mapped, tried, written, seen and taken back',
    () =>
      visiting(async ({ page, complaints }) => {
        await send(page, 'كتاب 📦.csv', ownFile())
        for (const [header, field] of MAPPED) await page.getByLabel(`Field for ${header}`).selectOption(field)
        await page.getByRole('button', { name: 'Add a name' }).click()
        await page.getByLabel('Value in the file').fill('apple')
        await page.reload()
        await page.getByRole('button', { name: 'Discard' }).waitFor()
        await soon(async () => expect(await page.getByLabel('Value in the file').inputValue()).toBe('apple'))
        await soon(async () =>
          expect(await page.getByLabel('Field for customer').inputValue()).toBe('subscriberExternalId'),
        )
        await page.getByRole('button', { name: 'Save and dry run' }).click()
        await page.getByText('Ready to be written').waitFor()
        await soon(async () => expect(await page.getByRole('button', { name: 'Discard' }).count()).toBe(0))
        await page.getByRole('cell', { name: 'bought' }).first().waitFor()
        await page.getByRole('heading', { name: 'Unknown products' }).waitFor()
        await page.getByRole('cell', { name: 'com.example.unknown' }).waitFor()
        const forecast = page.locator('section', { has: page.getByRole('heading', { name: 'What would be written' }) })
        const figure = (name: string) => forecast.getByText(name, { exact: true }).locator('+ dd').textContent()
        const names = ['New subscribers', 'New purchases', 'Changed purchases', 'Without a product']
        expect(await Promise.all(names.map(figure))).toEqual(['3', '3', '0', '1'])
        const cells = await forecast.locator('tbody td, tbody th').allTextContents()
        expect(cells.map((text) => text.trim())).toEqual(['EUR', '3', '€89.99', '€0.00', 'pro', '2'])
        expect(await people('nora')).toBe(0)
        expect(await violationsOf(page)).toEqual([])
        await shoot(page, 'connections-import-tried-light-1280')
        await page.getByRole('button', { name: 'Create products' }).click()
        const sheet = page.getByRole('dialog', { name: 'Create products' })
        await sheet.getByText('1 product would be created').waitFor()
        await sheet.getByRole('cell', { name: 'com.example.unknown' }).waitFor()
        await shoot(page, 'connections-import-products-light-1280')
        expect(await productNames()).not.toContain('com.example.unknown')
        await sheet.getByRole('button', { name: 'Create products' }).click()
        await page.getByText('1 created, 0 were there already').waitFor()
        expect(await productNames()).toContain('com.example.unknown')
        await page.getByRole('button', { name: 'Create products' }).click()
        await sheet.getByText('is in the catalogue by now').waitFor()
        await soon(async () =>
          expect(await sheet.getByRole('button', { name: 'Create products' }).isDisabled()).toBe(true),
        )
        await page.keyboard.press('Escape')
        const [report] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('link', { name: 'Report as CSV' }).click(),
        ])
        expect(report.suggestedFilename()).toEndWith('.csv')
        await page.getByRole('button', { name: 'Write the rows' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Write the rows' }).click()
        await page.getByText('Completed').waitFor()
        await soon(async () =>
          expect(await page.getByRole('heading', { name: 'What would be written' }).count()).toBe(0),
        )
        expect([await people('nora'), await people(encodeURIComponent('山田'))]).toEqual([1, 1])
        await shoot(page, 'connections-import-written-light-1280')
        await page.getByRole('button', { name: 'Take back' }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
        await page.locator('h1 + span', { hasText: /Taken back/ }).waitFor()
        expect([await people('nora'), await people(encodeURIComponent('山田'))]).toEqual([0, 0])
        expect(complaints).toEqual([])
      }),
    SLOW_MS,
  )

  test(
    'the columns of a known service are proposed, and a missing one is named when it is tried',
    async () => {
      const { cookie } = await addMember(stage, 'admin@example.com', 'ADMIN')
      await visiting(
        async ({ page }) => {
          await send(page, 'customers.csv', VENDOR_FILE)
          await soon(async () => expect(await page.getByText('proposed').count()).toBeGreaterThan(4))
          await soon(async () => expect(await page.getByText('revenuecat_v5').count()).toBe(1))
          await page.getByLabel('Field for start_time').selectOption('')
          await page.getByRole('button', { name: 'Save and dry run' }).click()
          await page.getByText('Not mapped yet: purchaseDate').waitFor()
          await page.getByText('IMPORT_MAPPING_INCOMPLETE').waitFor()
          await page.getByRole('button', { name: 'Cancel the import' }).click()
          await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click()
          await page.locator('h1 + span', { hasText: 'Cancelled' }).waitFor()
        },
        { cookie },
      )
    },
    SLOW_MS,
  )

  test(
    'an upload that is cancelled leaves no import, the next file can be chosen, and one too many says when to try again',
    async () => {
      // Changes of imports are counted by person.
      const { cookie } = await addMember(stage, 'mover@example.com', 'ADMIN')
      const path = `/dashboard/projects/${stage.projectId}/imports`
      const listed = async () => ((await stage.call('GET', path)).data as { items: unknown[] }).items.length
      const file = (name: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(`customer,${name}\n`) })
      await visiting(
        async ({ page }) => {
          const before = await listed()
          const input = page.locator('input[type=file]')
          const isChange = (url: URL) => url.searchParams.has('fileName')
          await page.route(isChange, () => {})
          await goTo(page, '/p/demo/connections/imports')
          await input.setInputFiles(file('held.csv'))
          await page.getByRole('progressbar', { name: 'Upload a file' }).waitFor()
          await page.getByRole('button', { name: 'Cancel', exact: true }).click()
          await page.getByRole('button', { name: 'Choose a file' }).waitFor()
          await soon(async () => expect(await page.getByRole('alert').count()).toBe(0))
          expect(await listed()).toBe(before)
          const two = await page.evaluateHandle(TWO_FILES)
          await page.getByRole('region', { name: 'Upload a file' }).dispatchEvent('drop', { dataTransfer: two })
          await page.getByRole('alert').getByText('Drop one file at a time', { exact: false }).waitFor()
          expect(await listed()).toBe(before)
          await page.unroute(isChange)
          await input.setInputFiles(file('second.csv'))
          await page.getByRole('heading', { level: 1, name: 'second.csv' }).waitFor()
          expect(await listed()).toBe(before + 1)
          for (let more = 0; more < 5; more += 1)
            await page.evaluate(
              (url) => fetch(url, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'customer\n' }),
              `${path}?fileName=more-${more}.csv`,
            )
          await goTo(page, '/p/demo/connections/imports')
          await input.setInputFiles(file('refused.csv'))
          await page
            .getByRole('alert')
            .getByText(/Try again in \d+ s\./)
            .waitFor()
          await soon(async () => expect(await page.getByRole('link', { name: 'refused.csv' }).count()).toBe(0))
        },
        { cookie },
      )
    },
    SLOW_MS,
  )

  test(
    'the comparison of each night is set up without showing its key, changed beside somebody else, and removed',
    () =>
      visiting(async ({ page, complaints }) => {
        const path = `/dashboard/projects/${stage.projectId}/compare/schedule`
        const saved = async () => (await stage.call('GET', path)).data as Record<string, unknown>
        await goTo(page, '/p/demo/connections/comparisons')
        await page.getByText('No comparison runs by itself.').waitFor()
        await page.getByRole('button', { name: 'Set up' }).click()
        const sheet = page.getByRole('dialog')
        await sheet.getByLabel('Key of the service').fill('sk_of_the_other_service')
        await sheet.getByLabel('Requests per second').fill('0')
        await sheet.getByRole('button', { name: 'Save', exact: true }).click()
        await sheet.getByRole('alert').first().waitFor()
        await sheet.getByLabel('Requests per second').fill('2')
        await sheet.getByRole('button', { name: 'Save', exact: true }).click()
        await sheet.waitFor({ state: 'detached' })
        await page.getByText('…vice').waitFor()
        expect(await saved()).toMatchObject({ rate: 2, dailyAt: '02:00', isEnabled: true, keyLast4: 'vice' })
        expect(await page.content()).not.toContain('sk_of_the_other_service')

        await page.getByRole('button', { name: 'Edit', exact: true }).click()
        await sheet.getByLabel('Daily at').fill('04:30')
        const { vendor, sample, skipSandbox, isEnabled } = await saved()
        const theirs = { vendor, sample, skipSandbox, isEnabled, rate: 3, dailyAt: '02:00' }
        expect((await stage.call('PUT', path, theirs)).status).toBe(200)
        await sheet.getByRole('button', { name: 'Save', exact: true }).click()
        await sheet.getByText(/2 → 3/).waitFor()
        await soon(async () => expect(await sheet.getByText(/^(revision|updatedAt|nextRunAt)$/).count()).toBe(0))
        await sheet.getByRole('button', { name: 'Load the newest' }).click()
        await soon(async () => expect(await sheet.getByLabel('Requests per second').inputValue()).toBe('3'))
        expect((await stage.call('PUT', path, { ...theirs, rate: 4 })).status).toBe(200)
        await sheet.getByLabel('Requests per second').fill('2')
        await sheet.getByLabel('Daily at').fill('04:30')
        await sheet.getByRole('button', { name: 'Save', exact: true }).click()
        await sheet.getByText(/3 → 4/).waitFor()
        expect(await saved()).toMatchObject({ rate: 4, dailyAt: '02:00' })
        await sheet.getByRole('button', { name: 'Overwrite' }).click()
        await sheet.waitFor({ state: 'detached' })
        expect(await saved()).toMatchObject({ rate: 2, dailyAt: '04:30', keyLast4: 'vice' })

        await page.getByRole('button', { name: 'Remove', exact: true }).click()
        await sheet.getByRole('button', { name: 'Delete the schedule' }).click()
        await page.getByText('No comparison runs by itself.').waitFor()
        expect((await stage.call('GET', path)).status).toBe(404)
        expect(complaints.filter((one) => !/40[049]|422|412/.test(one))).toEqual([])
      }),
    SLOW_MS,
  )

  test(
    'an export of the command line is listed, with each file and its checksum',
    () =>
      visiting(async ({ page, complaints }) => {
        const folder = tempFolder()
        await stage.svc('export-data', '--project', 'demo', '--format', 'csv', '--to', folder.path)
        folder.remove()
        const { data } = await stage.call('GET', `/dashboard/projects/${stage.projectId}/exports`)
        const [made] = (data as { items: { files: { name: string; sha256: string }[] }[] }).items
        await goTo(page, '/p/demo/connections/data-exports')
        await page.getByRole('button', { name: 'parquet' }).click()
        await page.getByText('svc export-data --project demo --format parquet --to ./export').waitFor()
        await page.getByRole('table', { name: 'Exports', exact: true }).getByRole('link').first().click()
        const sheet = page.getByRole('dialog')
        for (const { name, sha256 } of made?.files.slice(0, 2) ?? []) {
          await sheet.getByText(name, { exact: true }).waitFor()
          await sheet
            .getByText(`sha256 ${sha256.slice(0, 16)}…`)
            .first()
            .waitFor()
        }
        expect(made?.files).not.toBeEmpty()
        await shoot(page, 'connections-export-run-light-1280')
        expect(complaints).toEqual([])
      }),
    SLOW_MS,
  )

  test(
    'why an export, a comparison, an import or a request has stopped is said in the language of the person',
    async () => {
      const { data } = await stage.call('GET', `/dashboard/projects/${stage.projectId}/imports`)
      const id = (data as { items: { id: string }[] }).items.at(-1)?.id
      await stage.call('PATCH', '/dashboard/me/preferences', { locale: 'de' })
      try {
        await visiting(async ({ page, complaints }) => {
          await answerFailed(page, {
            exportRun: 'Error: the bucket does not take the file: status 403, AccessDenied',
            exportSchedule: `Error: ${reasonText('BUCKET_ADDRESS', { message: 'must not lead to a private network' })}`,
            comparison: reasonText('VENDOR_SILENT', { answer: 'timeout' }),
            request: reasonText('REQUEST_PLACE_AWAY'),
          })
          await page.route(
            ({ pathname }) => pathname.startsWith('/dashboard/') && pathname.endsWith(`/imports/${id}`),
            async (route) => {
              const response = await route.fetch()
              const answer = (await response.json()) as { data: object }
              const failure = reasonText('FILE_COLUMN_MISSING', { name: 'a.csv', column: 'sku' })
              await route.fulfill({ response, json: { data: { ...answer.data, failure } } })
            },
          )
          await goTo(page, '/p/demo/connections/data-exports')
          await page.getByText('Die Adresse des Buckets ist nicht verwendbar.').waitFor()
          await page.locator('table').getByRole('link').first().click()
          await page
            .getByRole('dialog')
            .getByText('Der Bucket nimmt die Datei nicht an: „status 403, AccessDenied“')
            .waitFor()
          await goTo(page, '/p/demo/connections/comparisons/cmp_1')
          await page.getByText('Der Dienst hat lange keine brauchbare Antwort gegeben.').waitFor()
          await goTo(page, `/p/demo/connections/imports/${id}`)
          await page.getByText('Die Datei „a.csv“ hat keine Spalte „sku“.').waitFor()
          await goTo(page, '/p/demo/subscribers/data-requests')
          await page.getByText('Der Ort für Dateien lässt sich zurzeit nicht beschreiben.').waitFor()
          expect(complaints).toEqual([])
        })
      } finally {
        await stage.call('PATCH', '/dashboard/me/preferences', { locale: 'en' })
      }
    },
    SLOW_MS,
  )

  test(
    'the list and an import are sound on a wide window and on a phone',
    async () => {
      const { data } = await stage.call('GET', `/dashboard/projects/${stage.projectId}/imports`)
      const { items } = data as { items: { id: string }[] }
      await expectSoundScreens(stage, {
        'connections-imports': '/p/demo/connections/imports',
        'connections-import': `/p/demo/connections/imports/${items.at(-1)?.id}`,
      })
    },
    SLOW_MS,
  )
})
