import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, excessOf, goTo, violationsOf } from '../support/console'
import { addMember } from '../support/console-members'
import { until } from '../support/console-screens'
import { fontFiles, gif, png } from '../support/files'
import { soon } from '../support/soon'

// Pictures and fonts as people bring them to their funnels in a browser.

const PATIENCE = 1_800_000

/** The check of accessibility talks to every frame, and the frame of the preview has no origin. */
const OF_AXE = /^Failed to execute 'postMessage'/

/** Browsers report every answer that is a refusal. */
const OF_CONFLICT = /^Failed to load resource: the server responded with a status of 409/

/** Elements of the page; the tests are compiled without the types of a browser. */
interface Picture {
  naturalWidth: number
}
interface Owned {
  ownerDocument: { fonts: Iterable<{ family: string; status: string }> }
}

/** Whether a picture has arrived and could be read. */
const isDrawn = (picture: Locator): Promise<boolean> =>
  picture.evaluate((one) => (one as unknown as Picture).naturalWidth > 0)

/** The faces that a page knows, each with its status. */
const facesOf = (body: Locator): Promise<string[]> =>
  body.evaluate((one) =>
    [...(one as unknown as Owned).ownerDocument.fonts].map(({ family, status }) => `${family} ${status}`),
  )

const cardOf = (page: Page, family: string): Locator =>
  page.locator('section', { has: page.getByRole('heading', { name: family, exact: true }) })

interface Listed<Item> {
  items: Item[]
}

interface Asset {
  id: string
  name: string
  url: string
  alt: Record<string, string>
}

interface Family {
  id: string
  name: string
  faces: { id: string; weight: number; url: string }[]
}

describe.skipIf(!hasChromium)('pictures and fonts of funnels', () => {
  let stage: ConsoleStage
  let hills: Buffer
  let woff2: Buffer
  const growth = '/p/demo/growth'

  /** The payload of a successful call of the owner. */
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, data } = await stage.call(method, `/dashboard/projects/${stage.projectId}${path}`, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(data)}`)
    return data as T
  }
  const assets = async () => (await call<Listed<Asset>>('GET', '/assets')).items
  const families = async () => (await call<Listed<Family>>('GET', '/fonts/families')).items

  beforeAll(async () => {
    stage = await consoleStage([])
    hills = Buffer.from(await png(800, 400))
    woff2 = Buffer.from((await fontFiles()).woff2)
  }, PATIENCE)
  afterAll(() => stage?.close(), PATIENCE)

  test(
    'a picture is sent, listed and described, and what is no picture is refused by its name',
    async () => {
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${growth}/assets`)
      await page.getByText('No files yet').waitFor()
      const files = page.locator('input[type=file]')
      await files.setInputFiles({ name: 'Hügel <b>.png', mimeType: 'image/png', buffer: hills })
      const card = page.getByRole('button', { name: /H_gel _b_\.png/ })
      await card.getByText('800 × 400').waitFor()
      await until(() => isDrawn(card.locator('img')))
      await card.click()
      const sheet = page.getByRole('dialog', { name: 'H_gel _b_.png' })
      await sheet.getByLabel('Name', { exact: true }).fill('hills.png')
      await sheet.getByLabel('Alternative text').fill('Hills at <night>')
      await sheet.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog', { name: 'hills.png' }).waitFor()
      expect(await assets()).toMatchObject([{ name: 'hills.png', alt: { en: 'Hills at <night>' } }])
      await page.getByRole('button', { name: 'Close' }).click()
      expect(complaints).toEqual([])
      await files.setInputFiles([
        { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('<script>alert(1)</script>') },
        { name: 'still.gif', mimeType: 'image/gif', buffer: Buffer.from(gif(1)) },
      ])
      await page.getByText('This is no picture that can be shown').waitFor()
      await page.getByRole('button', { name: /still\.gif/ }).waitFor()
      expect((await assets()).map(({ name }) => name).sort()).toEqual(['hills.png', 'still.gif'])
      await close()
    },
    PATIENCE,
  )

  test(
    'a text that a colleague changed meanwhile is a conflict: nothing is lost, and saving again puts it over theirs',
    async () => {
      const { page, complaints, close } = await stage.open()
      const [made] = (await assets()).filter(({ name }) => name === 'hills.png')
      const alt = async () => (await assets()).find(({ id }) => id === made?.id)?.alt
      await goTo(page, `${growth}/assets?asset=${made?.id}`)
      const sheet = page.getByRole('dialog', { name: 'hills.png' })
      const text = sheet.getByLabel('Alternative text')
      await text.fill('Mountains')
      await call('PATCH', `/assets/${made?.id}`, { alt: { en: 'Hills at night', de: 'Hügel' } })
      await sheet.getByRole('button', { name: 'Save' }).click()
      await sheet.getByRole('alert').waitFor()
      expect(await alt()).toEqual({ en: 'Hills at night', de: 'Hügel' })
      await soon(async () => expect(await text.inputValue()).toBe('Mountains'))
      // The newest state is read again after the refusal.
      await until(async () => {
        await text.press('Enter')
        return (await alt())?.en === 'Mountains'
      })
      expect(await alt()).toEqual({ en: 'Mountains', de: 'Hügel' })
      expect(complaints.filter((one) => !OF_CONFLICT.test(one))).toEqual([])
      await call('PATCH', `/assets/${made?.id}`, { alt: { en: 'Hills at <night>' } })
      await close()
    },
    PATIENCE,
  )

  test(
    'a family gets a face and loses it, and an empty one is deleted',
    async () => {
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${growth}/fonts`)
      for (const name of ['Geist', 'Spare']) {
        await page.getByRole('button', { name: 'New family' }).first().click()
        const dialog = page.getByRole('dialog', { name: 'New family' })
        await dialog.getByLabel('Name of the family').fill(name)
        await dialog.getByRole('button', { name: 'New family' }).click()
        await page.getByRole('heading', { name, exact: true }).waitFor()
        await addFace(page, name, '400')
      }
      await until(async () => (await families()).every(({ faces }) => faces.length === 1))
      const spare = cardOf(page, 'Spare')
      await spare.getByRole('button', { name: /Delete the face/ }).click()
      await page.getByRole('dialog', { name: 'Delete the face' }).getByRole('button', { name: 'Delete' }).click()
      await spare.getByText('no face yet').waitFor()
      await spare.getByRole('button', { name: /Delete the family/ }).click()
      await page.getByRole('dialog', { name: 'Delete the family' }).getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('heading', { name: 'Spare', exact: true }).waitFor({ state: 'detached' })
      expect((await families()).map(({ name }) => name)).toEqual(['Geist'])
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  /** Sends the font as a face of a family. */
  async function addFace(page: Page, family: string, weight: string): Promise<void> {
    await cardOf(page, family).getByRole('button', { name: 'Add a face' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a face' })
    await dialog.getByLabel('Font file').setInputFiles({ name: 'g.woff2', mimeType: 'font/woff2', buffer: woff2 })
    await dialog.getByLabel('Weight').selectOption(weight)
    await dialog.getByRole('button', { name: 'Add a face' }).click()
    await dialog.waitFor({ state: 'detached' })
  }

  test(
    'a picture and a font are chosen in the builder, seen in its preview and on the public page, and stay while used',
    async () => {
      const { id } = await call<{ id: string }>('POST', '/funnels', {
        ...{ slug: 'files', name: 'Files', templateId: 'lead' },
      })
      const pages = (await call<{ draft: { pages: { id: string }[] } }>('GET', `/funnels/${id}`)).draft.pages
      const first = pages[0]?.id ?? ''
      const { page, complaints, close } = await stage.open()
      page.on('dialog', (dialog) => void dialog.accept())
      await goTo(page, `${growth}/funnels/${id}?page=${first}`)
      await page.getByRole('button', { name: 'Add a block' }).click()
      await page.getByRole('menuitem', { name: 'Picture', exact: true }).click()
      const preview = page.frameLocator('iframe')
      await page.getByRole('button', { name: 'File: Choose a file', exact: true }).click()
      const picker = page.getByRole('dialog', { name: 'Choose a picture' })
      await picker.getByRole('button', { name: 'hills.png' }).click()
      await picker.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'File: hills.png', exact: true }).waitFor()
      const shown = preview.locator('img[alt="Hills at <night>"]')
      await until(() => isDrawn(shown))
      await goTo(page, `${growth}/funnels/${id}?tab=look`)
      await page.getByLabel('Font of texts').selectOption({ label: 'Geist' })
      await page.getByRole('button', { name: 'Logo: Choose a file', exact: true }).click()
      await picker
        .locator('input[type=file]')
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(await png(90, 30)) })
      await picker.getByRole('button', { name: 'logo.png' }).click()
      await until(() => isDrawn(preview.locator('img.logo')))
      const [family] = await families()
      await until(async () => (await facesOf(preview.locator('body'))).includes(`${family?.id} loaded`))
      await page.keyboard.press('Control+s')
      await until(isUsed)
      await call('POST', `/funnels/${id}/publish`, {})
      expect(complaints).toEqual([])
      await goTo(page, `/f/demo/files`)
      for (const kind of ['img.logo', 'main img']) await until(() => isDrawn(page.locator(kind).first()))
      await until(async () => (await facesOf(page.locator('body'))).includes(`${family?.id} loaded`))
      expect(complaints).toEqual([])
      await goTo(page, `${growth}/assets`)
      await page.getByRole('button', { name: /hills\.png/ }).click()
      const sheet = page.getByRole('dialog', { name: 'hills.png' })
      await sheet.getByText('draft').waitFor()
      await sheet.getByRole('button', { name: 'Delete' }).click({ force: true })
      await page.getByText('It is shown by a draft, a published version or the project.').waitFor()
      await goTo(page, `${growth}/fonts`)
      await page.getByRole('button', { name: /Delete the family/ }).click({ force: true })
      await page.getByText('It is shown by a draft, a published version or the project.').waitFor()
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  /** Whether a draft shows a file and uses a font. */
  const isUsed = async () => {
    const listed = await call<Listed<{ references: object[] }>>('GET', '/fonts/families')
    return listed.items.some(({ references }) => references.length > 0)
  }

  test(
    'every screen and dialog is sound on a wide window and on a phone, in both themes',
    async () => {
      const { items } = await call<Listed<{ id: string }>>('GET', '/funnels')
      const [asset] = await assets()
      const funnel = `${growth}/funnels/${items[0]?.id}`
      const screens: [string, string, ((page: Page) => Promise<void>)?][] = [
        ['assets', `${growth}/assets`],
        ['asset', `${growth}/assets?asset=${asset?.id}`],
        ['fonts', `${growth}/fonts`],
        ['new family', `${growth}/fonts`, (page) => page.getByRole('button', { name: 'New family' }).click()],
        ['new face', `${growth}/fonts`, (page) => page.getByRole('button', { name: 'Add a face' }).first().click()],
        ['delete a face', `${growth}/fonts`, (page) => page.getByRole('button', { name: /Delete the face/ }).click()],
        ['theme', `${funnel}?tab=look`],
        ['picker', `${funnel}?tab=look`, (page) => page.getByRole('button', { name: /^Logo: / }).click()],
      ]
      const faults: string[] = []
      for (const theme of ['light', 'dark'] as const)
        for (const width of [1280, 390]) {
          const { page, complaints, close } = await stage.open({ theme, width })
          for (const [name, path, then] of screens) {
            await goTo(page, path)
            await then?.(page)
            const found = await violationsOf(page)
            const excess = await excessOf(page)
            if (excess > 0) found.push(`${excess} px too wide`)
            found.push(...complaints.splice(0).filter((one) => !OF_AXE.test(one)))
            faults.push(...found.map((fault) => `${name}, ${theme}, ${width}: ${fault}`))
          }
          await close()
        }
      expect(faults).toEqual([])
    },
    PATIENCE,
  )

  test(
    'support sees the files and changes none',
    async () => {
      const { cookie } = await addMember(stage, 'support@example.com', 'CUSTOMER_SUPPORT')
      const { page, complaints, close } = await stage.open({ cookie })
      await goTo(page, `${growth}/assets`)
      await page.getByRole('button', { name: 'Upload' }).first().click({ force: true })
      await page.getByText('It needs Developer').first().waitFor()
      const before = await assets()
      await page.locator('input[type=file]').setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: hills })
      await page.getByRole('button', { name: /still\.gif/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click({ force: true })
      await goTo(page, `${growth}/fonts`)
      await page.getByRole('button', { name: 'New family' }).click({ force: true })
      await soon(async () => expect(await page.getByRole('dialog').count()).toBe(0))
      expect(await assets()).toEqual(before)
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )
})
