import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo } from '../support/console'
import { addMember } from '../support/console-members'
import { expectSoundScreens, until } from '../support/console-screens'
import { soon } from '../support/soon'

// The builder of funnels as people use it in a browser.

const PATIENCE = 1_800_000

/** The check of accessibility talks to every frame, and the frame of the preview has no origin. */
const OF_AXE = /^Failed to execute 'postMessage'/

interface Funnel {
  id: string
  slug: string
  status: string
  revision: number
  currentVersionNo: number | null
  draft: { pages: FunnelPage[]; theme: Record<string, unknown> }
}

interface FunnelPage {
  id: string
  type: string
  title: Record<string, string>
  blocks?: { id: string; type: string; props: Record<string, unknown> }[]
  fields: { id: string; options: { id: string; label: Record<string, string> }[] }[]
  next: { rules: { match: string; to: string; when: unknown[] }[]; default: string | null }
}

/** An element of the page; the tests are compiled without the types of a browser. */
interface Attributed {
  getAttribute(name: string): string | null
}

describe.skipIf(!hasChromium)('the builder of funnels', () => {
  let stage: ConsoleStage
  let colleague: string
  const funnels = '/p/demo/growth/funnels'

  /** The payload of a successful call of the owner. */
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, data } = await stage.call(method, `/dashboard/projects/${stage.projectId}${path}`, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(data)}`)
    return data as T
  }
  const read = (id: string) => call<Funnel>('GET', `/funnels/${id}`)
  const make = (slug: string, templateId: string) =>
    call<Funnel>('POST', '/funnels', { slug, name: `Funnel ${slug}`, templateId })
  const idOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? ''

  beforeAll(async () => {
    stage = await consoleStage([])
    colleague = (await addMember(stage, 'colleague@example.com', 'ADMIN')).cookie
  }, PATIENCE)
  afterAll(() => stage?.close(), PATIENCE)

  test(
    'every screen is sound on a wide window and on a phone',
    async () => {
      const { id } = await make('sound', 'quiz')
      await call('POST', `/funnels/${id}/publish`, {})
      const { id: session } = await beginSession(stage, 'sound')
      await call('PATCH', `/funnels/${id}`, { locales: ['en', 'de', 'tr', 'ja', 'fr'] })
      await expectSoundScreens(
        stage,
        {
          'funnel-list': funnels,
          'funnel-new': `${funnels}?do=new:quiz`,
          'funnel-flow': `${funnels}/${id}`,
          'funnel-flow-list': `${funnels}/${id}?as=list`,
          'funnel-page': `${funnels}/${id}?page=offer&block=title`,
          'funnel-page-field': `${funnels}/${id}?page=goal`,
          'funnel-theme': `${funnels}/${id}?tab=look`,
          'funnel-texts': `${funnels}/${id}?tab=texts&locale=fr`,
          'funnel-versions': `${funnels}/${id}?tab=versions`,
          'funnel-numbers': `${funnels}/${id}?tab=numbers`,
          'funnel-sessions': `${funnels}/${id}?tab=sessions`,
          'funnel-settings': `${funnels}/${id}?tab=settings`,
          'funnel-problems': `${funnels}/${id}?problems=open`,
          'funnel-publish': `${funnels}/${id}?do=publish`,
          'funnel-preview': `${funnels}/${id}?do=preview`,
          'funnel-session': `/p/demo/growth/funnels/sessions/${session}`,
        },
        OF_AXE,
      )
    },
    PATIENCE,
  )

  test(
    'from a template to a published funnel of three pages with one branch in fewer than 60 clicks and keys',
    async () => {
      const { page, complaints, close } = await stage.open()
      let inputs = 0
      const click = async (...[role, name]: [Parameters<Page['getByRole']>[0], string]) => {
        inputs++
        await page.getByRole(role, { name, exact: true }).first().click()
      }
      const choose = async (label: string, option: string) => {
        inputs += 2
        await page.getByLabel(label, { exact: true }).last().selectOption({ label: option })
      }
      const press = async (key: string) => {
        inputs++
        await page.keyboard.press(key)
      }
      await goTo(page, funnels)
      inputs++
      await page.getByRole('button', { name: 'Contact request' }).click()
      await click('button', 'Create')
      await page.getByRole('heading', { name: 'Contact request', level: 1 }).waitFor()
      const id = idOf(page)
      // Those who are many skip the question for their address.
      await click('button', 'Add a rule')
      await page.getByRole('button', { name: 'Add a rule' }).focus()
      await choose('Value', 'More than 20')
      await choose('Then go to', 'Thank you, {{answer.name|we have it}}')
      await press('Control+Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Publish version 1' }).waitFor()
      await click('button', 'Publish version 1')
      await page.getByText('Live, version 1').first().waitFor()
      const made = await read(id)
      expect(made).toMatchObject({ status: 'PUBLISHED', currentVersionNo: 1, slug: 'contact-request' })
      expect(made.draft.pages).toHaveLength(3)
      expect(made.draft.pages[0]?.next.rules).toEqual([
        { match: 'all', when: [{ field: 'size', op: 'eq', value: 'many' }], to: 'done' },
      ])
      expect(inputs).toBeLessThan(60)
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'a text is seen in the preview at once, a click there chooses the block, and the draft survives a reload',
    async () => {
      const { id } = await make('typed', 'win_back')
      const { page, complaints, close } = await stage.open()
      page.on('dialog', (dialog) => void dialog.accept())
      await goTo(page, `${funnels}/${id}?page=welcome&block=title`)
      const preview = page.frameLocator('iframe')
      await page.getByLabel('Text, English', { exact: true }).fill('Hello <b>again</b>')
      await preview.getByRole('heading', { name: 'Hello <b>again</b>' }).waitFor()
      await soon(async () => expect(await preview.locator('[data-chosen]').getAttribute('data-block')).toBe('title'))
      await preview.getByText('This is new since you left:').click()
      await page.getByRole('heading', { name: 'Paragraph' }).waitFor()
      await page.reload()
      await preview.getByRole('heading', { name: 'Hello <b>again</b>' }).waitFor()
      expect((await read(id)).draft.pages[0]?.blocks?.[0]?.props).toMatchObject({ text: { en: 'Welcome back' } })
      await page.getByLabel('Language').first().selectOption('tr')
      await preview.getByRole('heading', { name: 'Yeniden hoş geldin' }).waitFor()
      await page.keyboard.press('Control+s')
      await until(async () => JSON.stringify((await read(id)).draft.pages[0]).includes('Hello <b>again</b>'))
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'blocks are moved, copied and removed by keys, and every step is taken back',
    async () => {
      const { id, draft } = await make('keys', 'win_back')
      const { page, close } = await stage.open()
      page.on('dialog', (dialog) => void dialog.accept())
      await goTo(page, `${funnels}/${id}?page=welcome`)
      const order = async () =>
        await page
          .locator('[data-tree]')
          .evaluateAll((all) => all.map((one) => (one as unknown as Attributed).getAttribute('data-tree')))
      const before = draft.pages[0]?.blocks?.map((block) => block.id) ?? []
      expect(await order()).toEqual(before)
      await page.locator('[data-tree=news]').focus()
      await page.keyboard.press('Alt+ArrowUp')
      await until(async () => (await order()).join() === 'news,title,list,start')
      await page.keyboard.press('Control+d')
      await until(async () => (await order()).join() === 'news,news_2,title,list,start')
      await page.keyboard.press('Delete')
      await until(async () => (await order()).join() === 'news,title,list,start')
      await page.getByRole('button', { name: 'Add a block' }).click()
      await page.getByRole('menuitem', { name: 'Card', exact: true }).click()
      await until(async () => (await order()).includes('card'))
      const at = (await order()).indexOf('card')
      const below = (await order())[at + 1] ?? ''
      await page.locator(`[data-tree="${below}"]`).focus()
      await page.keyboard.press('Alt+ArrowRight')
      await until(async () => (await page.locator('ol ol [data-tree]').count()) === 1)
      for (let step = 0; step < 5; step++) await page.keyboard.press('Control+z')
      await until(async () => (await order()).join() === before.join())
      await page.getByText('Saved', { exact: true }).waitFor()
      for (let step = 0; step < 5; step++) await page.keyboard.press('Control+Shift+z')
      await until(async () => (await page.locator('ol ol [data-tree]').count()) === 1)
      expect((await read(id)).draft.pages).toEqual(draft.pages)
      await close()
    },
    PATIENCE,
  )

  test(
    'in the flow keys open, add and remove pages, and a removed page is named by what leads to it',
    async () => {
      const { id } = await make('flow', 'quiz')
      const { page, close } = await stage.open()
      page.on('dialog', (dialog) => void dialog.accept())
      await goTo(page, `${funnels}/${id}`)
      await page.locator('[data-page=welcome]').focus()
      await page.keyboard.press('ArrowRight')
      await page.locator('[data-page=goal]:focus').waitFor()
      await page.keyboard.press('n')
      await page.locator('[data-page=question]:focus').waitFor()
      await page.keyboard.press('Delete')
      const question = page.getByRole('dialog')
      await question.getByText('These pages lead to it: What do you want to reach?').waitFor()
      await question.getByRole('button', { name: 'Remove the page' }).click()
      await page.locator('[data-page=question]').waitFor({ state: 'detached' })
      await page.locator('[data-page=minutes]').focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'How much time a day do you have?', level: 1 }).waitFor()
      await page
        .getByRole('button', { name: 'Discard' })
        .click({ trial: true, timeout: 1000 })
        .catch(() => {})
      await close()
    },
    PATIENCE,
  )

  test(
    'a fault opens the list in place of publishing, and the way to it',
    async () => {
      const { id } = await make('faulty', 'lead')
      const { page, close } = await stage.open()
      page.on('dialog', (dialog) => void dialog.accept())
      await goTo(page, `${funnels}/${id}?page=done&block=title`)
      await page.getByLabel('Text, English', { exact: true }).fill('')
      await page.getByText('1 fault').waitFor()
      await page.getByRole('button', { name: 'Review and publish' }).click()
      const list = page.getByRole('region', { name: 'Faults and warnings' })
      await list.getByText('must have a text in the default, en').waitFor()
      expect((await read(id)).currentVersionNo).toBeNull()
      await list.getByRole('button', { name: 'Go to' }).first().click()
      await page.getByLabel('Text, English', { exact: true }).fill('Thanks')
      await page.getByText('1 fault').waitFor({ state: 'detached' })
      await close()
    },
    PATIENCE,
  )

  test(
    'two people edit one funnel: the second sees who was faster, and loads or overwrites',
    async () => {
      const { id } = await make('both', 'lead')
      const [mine, theirs] = [await stage.open(), await stage.open({ cookie: colleague })]
      const name = (page: Page) => page.getByLabel('Name', { exact: true })
      for (const { page } of [mine, theirs]) await goTo(page, `${funnels}/${id}?tab=settings`)
      await name(mine.page).fill('Mine')
      await name(theirs.page).fill('Of a colleague')
      await theirs.page.keyboard.press('Control+s')
      await until(async () => (await call<{ name: string }>('GET', `/funnels/${id}`)).name === 'Of a colleague')
      await mine.page.getByRole('button', { name: 'Save draft' }).click()
      const conflict = mine.page.getByRole('dialog', { name: 'Somebody changed this meanwhile' })
      await conflict.getByText('colleague@example.com').waitFor()
      await conflict.getByRole('cell', { name: 'Of a colleague' }).waitFor()
      await conflict.getByRole('button', { name: 'Load the newest' }).click()
      await until(async () => (await name(mine.page).inputValue()) === 'Of a colleague')
      await name(mine.page).fill('Mine again')
      await call('PATCH', `/funnels/${id}`, { name: 'By the API' })
      await mine.page.getByRole('button', { name: 'Save draft' }).click()
      await conflict.getByRole('button', { name: 'Overwrite' }).click()
      await until(async () => (await call<{ name: string }>('GET', `/funnels/${id}`)).name === 'Mine again')
      await mine.close()
      await theirs.close()
    },
    PATIENCE,
  )

  test(
    'what differs is shown in words, a version comes back, and a preview has a link and a code',
    async () => {
      const { id } = await make('back', 'waiting_list')
      await call('POST', `/funnels/${id}/publish`, {})
      const { draft } = await read(id)
      const pages = draft.pages.map((one) =>
        one.id === 'mail' ? { ...one, title: { ...one.title, en: 'Soon' } } : one,
      )
      await call('PATCH', `/funnels/${id}`, { pages })
      const { page, close } = await stage.open()
      await goTo(page, `${funnels}/${id}?tab=versions`)
      await page.getByRole('cell', { name: 'Be the first to know', exact: true }).waitFor()
      await page.getByRole('cell', { name: 'Soon', exact: true }).waitFor()
      await page.getByRole('button', { name: 'Revert to version 1' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revert to version 1' }).click()
      await page.getByText('Nothing differs.').waitFor()
      expect((await read(id)).draft.pages[0]?.title.en).toBe('Be the first to know')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('button', { name: 'Make a link' }).click()
      await page.getByRole('img', { name: 'QR code of the preview' }).waitFor()
      const link = await page.getByRole('link', { name: 'Open it' }).getAttribute('href')
      expect(await (await fetch(link ?? '')).text()).toContain('Be the first to know')
      await close()
    },
    PATIENCE,
  )

  test(
    'the list is by status, beside what funnels use',
    async () => {
      const { id } = await make('listed', 'lead')
      await call('POST', `/funnels/${id}/publish`, {})
      await make('unlisted', 'lead')
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${funnels}?status=PUBLISHED`)
      await page.getByText('/listed').waitFor()
      await soon(async () => expect(await page.getByText('/unlisted').count()).toBe(0))
      await page.getByLabel('Status').selectOption({ label: 'Draft' })
      await page.getByText('/unlisted').waitFor()
      await soon(async () => expect(await page.getByText('/listed').count()).toBe(0))
      expect(new URL(page.url()).searchParams.get('status')).toBe('DRAFT')
      await page.getByLabel('Status').selectOption({ label: 'Archived' })
      await page.getByText('Nothing matches these filters').waitFor()
      const tabs = page.getByRole('navigation', { name: 'Funnels' })
      for (const [tab, path] of [
        ['Assets', '/assets'],
        ['Fonts', '/fonts'],
        ['Domains', '/domains'],
        ['Funnels', '/funnels'],
      ] as const) {
        await tabs.getByRole('link', { name: tab }).click()
        await until(async () => new URL(page.url()).pathname.endsWith(`/growth${path}`))
        await tabs.locator('[aria-current=page]', { hasText: tab }).waitFor()
      }
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'the flow says how many took each branch',
    async () => {
      const { id, draft } = await make('branched', 'lead')
      const [first, ...others] = draft.pages
      const rule = { match: 'all', when: [{ field: 'size', op: 'eq', value: 'many' }], to: 'done' }
      const next = { rules: [rule], default: 'mail' }
      await call('PATCH', `/funnels/${id}`, { pages: [{ ...first, next }, ...others] })
      await call('POST', `/funnels/${id}/publish`, {})
      for (const size of ['many', 'many', 'one']) {
        const session = await beginSession(stage, 'branched')
        await advance(stage, session, 'size', { size })
      }
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${funnels}/${id}?as=list`)
      const list = page.getByRole('listitem').filter({ hasText: 'For how many people?' }).first()
      await list.getByText(/then Thank you.* · 2 sessions/).waitFor()
      await list.getByText(/^Else How do we reach you\? · 1 session$/).waitFor()
      await page.getByRole('button', { name: 'As a graph' }).click()
      await page.getByTitle(/· 2 sessions$/).waitFor()
      await page.getByTitle('Else · 1 session').waitFor()
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'the message after publishing leads back to the version before, with what that changes',
    async () => {
      const { id } = await make('backwards', 'lead')
      await call('POST', `/funnels/${id}/publish`, {})
      await call('PATCH', `/funnels/${id}`, { name: 'Too early' })
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${funnels}/${id}?page=size`)
      await page.getByLabel('Title, English', { exact: true }).fill('Too early')
      await page.keyboard.press('Control+Enter')
      await page.getByRole('button', { name: 'Publish version 2' }).click()
      await page.getByText('Version 2 is live').waitFor()
      await page.getByRole('button', { name: 'Revert to version 1' }).click()
      const review = page.getByRole('dialog', { name: /^Publish version 3 of / })
      await review.getByRole('cell', { name: 'For how many people?', exact: true }).waitFor()
      expect((await read(id)).currentVersionNo).toBe(2)
      await review.getByRole('button', { name: 'Publish version 3' }).click()
      await until(async () => (await read(id)).currentVersionNo === 3)
      expect((await read(id)).draft.pages[0]?.title.en).toBe('For how many people?')
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'the editor leads to the other funnels of the same test, at the same page',
    async () => {
      const [long, short, alone] = [
        await make('long', 'lead'),
        await make('short', 'lead'),
        await make('alone', 'lead'),
      ]
      const variant = (name: string, funnelId: string) => ({ id: name, name, weight: 0.5, value: { funnelId } })
      const variants = [variant('Long', long.id), variant('Short', short.id)]
      await call('POST', '/experiments', {
        key: 'quiz_length',
        name: 'Quiz length',
        type: 'FUNNEL',
        audienceId: null,
        variants,
        metrics: [],
      })
      const { page, complaints, close } = await stage.open()
      await goTo(page, `${funnels}/${long.id}?page=mail`)
      await page.getByRole('button', { name: 'Variant Long' }).click()
      await page.getByText('Quiz length: Short').click()
      await page.getByRole('button', { name: 'Variant Short' }).waitFor()
      expect(idOf(page)).toBe(short.id)
      expect(new URL(page.url()).searchParams.get('page')).toBe('mail')
      await goTo(page, `${funnels}/${alone.id}?page=mail`)
      await page.getByLabel('Language').first().waitFor()
      await soon(async () => expect(await page.getByRole('button', { name: /^Variant / }).count()).toBe(0))
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'faults are said in the language of the reader',
    async () => {
      const { id, draft } = await make('unreachable', 'lead')
      const [first, ...others] = draft.pages
      await call('PATCH', `/funnels/${id}`, {
        pages: [{ ...first, next: { rules: [], default: 'gone' } }, ...others],
      })
      const { page, complaints, close } = await stage.open()
      await stage.call('PATCH', '/dashboard/me/preferences', { locale: 'de' })
      await goTo(page, `${funnels}/${id}?problems=open`)
      await page.getByText('muss eine Seite nennen; eine Seite gone gibt es nicht').waitFor()
      await page.getByText('Zu mail führt keine Seite').waitFor()
      await stage.call('PATCH', '/dashboard/me/preferences', { locale: 'en' })
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )

  test(
    'support reads everything and changes nothing',
    async () => {
      const { id } = await make('read', 'quiz')
      const { cookie } = await addMember(stage, 'support@example.com', 'CUSTOMER_SUPPORT')
      const { page, complaints, close } = await stage.open({ cookie })
      await goTo(page, `${funnels}/${id}?page=goal`)
      await soon(async () => expect(await page.getByLabel('Title, English', { exact: true }).isDisabled()).toBe(true))
      await soon(async () => expect(await page.getByRole('button', { name: 'Add a block' }).count()).toBe(0))
      await page.getByRole('button', { name: 'Review and publish' }).click({ force: true })
      await page.getByText('It needs Developer').first().waitFor()
      expect((await read(id)).currentVersionNo).toBeNull()
      expect(complaints).toEqual([])
      await close()
    },
    PATIENCE,
  )
})

interface Visit {
  id: string
  token: string
}

/** A visitor who has begun a funnel. */
async function beginSession(stage: ConsoleStage, slug: string): Promise<Visit> {
  const answer = await fetch(`${stage.url}/public/funnels/${slug}/sessions?project=demo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ utm: { source: 'mail' } }),
  })
  const { data } = (await answer.json()) as { data: { session_id: string; session_token: string } }
  return { id: data.session_id, token: data.session_token }
}

/** Answers a page of a session and goes on from it. */
async function advance(stage: ConsoleStage, { id, token }: Visit, pageId: string, answers: object): Promise<void> {
  for (const [command, body] of [
    ['answers', { page_id: pageId, answers }],
    ['advance', { page_id: pageId }],
  ] as const) {
    const { status } = await fetch(`${stage.url}/public/funnel-sessions/${id}/${command}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-funnel-session': token },
      body: JSON.stringify(body),
    })
    expect([command, status]).toEqual([command, 200])
  }
}
