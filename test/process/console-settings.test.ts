import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { hasChromium } from '../support/browser'
import { type ConsoleStage, consoleStage, goTo, type Visit } from '../support/console'
import { addMember } from '../support/console-members'
import { invite, lookAt, toastSaying } from '../support/console-people'
import { until } from '../support/console-screens'
import { LOOKS } from '../support/release'
import { soon } from '../support/soon'

const SLOW = 600_000
const HOSTILE = '<img src=x onerror=alert(1)> مرحبا 🌙'

const SCREENS = {
  'settings-project': '/p/demo/settings?yaml=1',
  'settings-keys': '/p/demo/settings/api-keys',
  'settings-key-new': '/p/demo/settings/api-keys?do=create',
  'settings-members': '/p/demo/settings/members',
  'settings-notifications': '/p/demo/settings/notifications',
  'settings-audit': '/p/demo/settings/audit-log',
  'settings-file': '/p/demo/settings/project-file',
  'settings-apply': '/p/demo/settings/project-file?view=apply',
  'settings-drift': '/p/demo/settings/project-file?view=drift',
  'settings-support': '/p/demo/settings/support',
  'settings-danger': '/p/demo/settings/danger',
}

type Call = [method: string, path: string, body?: unknown]

const KEY: Call = ['POST', '/api-keys', { label: 'Forced', kind: 'both' }]
const INVITATION: Call = ['POST', '/invitations', { email: 'forced@example.com', role: 'GROWTH' }]
const RENAMED: Call = ['PATCH', '', { name: 'Forced' }]
const LOG: Call = ['GET', '/audit-log']
const PRODUCT: Call = ['POST', '/products', { identifier: 'forced', displayName: 'Forced', type: 'CONSUMABLE' }]
const FLAG: Call = ['POST', '/feature-flags', { key: 'forced', name: 'Forced', type: 'BOOLEAN' }]
const DELETED: Call = ['DELETE', '', { confirm: 'demo' }]

/** What of the settings each role finds, and what the server refuses to it. */
const ROLES = {
  CUSTOMER_SUPPORT: {
    mayGo: ['API keys', 'Members'],
    mayNot: ['Audit log', 'Danger'],
    refused: [KEY, INVITATION, RENAMED, LOG, PRODUCT, FLAG, DELETED],
  },
  GROWTH: {
    mayGo: ['API keys', 'Members'],
    mayNot: ['Audit log', 'Danger'],
    refused: [KEY, INVITATION, RENAMED, LOG, PRODUCT, DELETED],
  },
  DEVELOPER: {
    mayGo: ['API keys', 'Members'],
    mayNot: ['Audit log', 'Danger'],
    refused: [KEY, INVITATION, RENAMED, LOG, DELETED],
  },
  ADMIN: { mayGo: ['API keys', 'Members', 'Audit log'], mayNot: ['Danger'], refused: [DELETED] },
}

describe.skipIf(!hasChromium)('the settings of a project', () => {
  let stage: ConsoleStage
  let owner: Visit
  let support: string

  beforeAll(async () => {
    stage = await consoleStage([])
    support = await invite(stage, 'support@example.com', 'CUSTOMER_SUPPORT', HOSTILE)
    await stage.call('POST', at('/api-keys'), { label: HOSTILE, kind: 'public' })
    await stage.call('POST', at('/invitations'), { email: `${'long'.repeat(14)}@example.com`, role: 'GROWTH' })
    owner = await stage.open()
  }, SLOW)

  afterAll(async () => {
    await stage?.close()
  }, SLOW)

  const at = (path: string) => `/dashboard/projects/${stage.projectId}${path}`
  const data = async (path: string) => (await stage.call('GET', at(path))).data as Record<string, unknown>
  const rows = async (path: string) => (await data(path)).items as Record<string, unknown>[]

  for (const { theme, width } of LOOKS)
    test(
      `every screen in ${theme} at ${width}`,
      async () => {
        const visit = await stage.open({ theme, width })
        for (const { path, found, excess, heading } of await lookAt(visit, SCREENS, `${theme}-${width}`)) {
          expect([path, found]).toEqual([path, []])
          expect([path, excess]).toEqual([path, 0])
          expect(heading).not.toBe('')
        }
        expect(visit.complaints).toEqual([])
        await visit.close()
      },
      SLOW,
    )

  test(
    'at the width where the menu moves to the side, one of both layouts is whole',
    async () => {
      const { page } = owner
      await goTo(page, '/p/demo/settings')
      for (const [width, isBeside] of [
        [767, false],
        [768, true],
        [1024, true],
      ] as const) {
        await page.setViewportSize({ width, height: 900 })
        const main = await page.locator('#main').boundingBox()
        expect([width, await page.getByRole('complementary').isVisible(), main?.width]).toEqual([
          width,
          isBeside,
          width - (isBeside ? 216 : 0),
        ])
      }
      await page.setViewportSize({ width: 1280, height: 900 })
    },
    SLOW,
  )

  test(
    'a change of settings is shown before it is saved, outlives a reload, and keeps what others changed',
    async () => {
      const { page } = owner
      await goTo(page, '/p/demo/settings?yaml=1')
      await page.getByLabel('Grace days of the payment provider').fill('21')
      await page.getByText('1 change is not saved').first().waitFor()
      await page.getByText('+    providerGraceDays: 21').waitFor()
      await page.reload()
      await page.getByText('1 change is not saved').first().waitFor()
      await stage.call('PATCH', at(''), { privacyUrl: 'https://example.com/privacy' })
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText('Somebody changed this meanwhile').waitFor()
      await page.getByText('Different now: Privacy policy.').waitFor()
      expect(await data('')).toMatchObject({ settings: { providerGraceDays: 7 } })
      await page.getByRole('button', { name: 'Keep what I typed' }).click()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await toastSaying(page, ': saved')
      expect(await data('')).toMatchObject({
        privacyUrl: 'https://example.com/privacy',
        settings: { providerGraceDays: 21 },
      })
    },
    SLOW,
  )

  test(
    'what the server refuses is said at the field, with the code and the request',
    async () => {
      const { page } = owner
      await goTo(page, '/p/demo/settings')
      await page.getByLabel('Days that events are kept').fill('3')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const alert = page.getByRole('alert').filter({ hasText: 'VALIDATION_ERROR' })
      await alert.waitFor()
      await soon(async () => expect(await alert.textContent()).toMatch(/req_/))
      await soon(async () =>
        expect(await page.getByLabel('Days that events are kept').getAttribute('aria-invalid')).toBe('true'),
      )
      await page.getByRole('button', { name: 'Discard' }).click()
      await soon(async () => expect(await page.getByLabel('Days that events are kept').inputValue()).toBe('30'))
      await page.getByLabel('App Store, in per cent').fill('15')
      await page.getByRole('link', { name: 'Members' }).click()
      await page.getByRole('link', { name: 'Project', exact: true }).click()
      await soon(async () => expect(await page.getByLabel('App Store, in per cent').inputValue()).toBe('15'))
      await page.getByRole('button', { name: 'Save rates' }).click()
      await toastSaying(page, 'What the stores keep: saved')
      expect(String((await data('/project-file')).yaml)).toContain('IOS_STORE: 0.15')
    },
    SLOW,
  )

  test(
    'a key is made, rotated with overlap and revoked; its secret is shown once',
    async () => {
      const { page } = owner
      await goTo(page, '/p/demo/settings/api-keys')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByLabel('Label').fill('Server')
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      const secret = page.locator('pre', { hasText: 'svc_sec_' })
      const first = await secret.textContent()
      await page.getByRole('button', { name: 'I stored it' }).click()
      await page.getByRole('button', { name: 'Server' }).click()
      await page.getByRole('button', { name: 'Rotate secret' }).click()
      await page.getByLabel('The old secret works on for').selectOption('24')
      await page.getByRole('dialog').last().getByRole('button', { name: 'Rotate secret' }).click()
      await secret.waitFor()
      expect(await secret.textContent()).not.toBe(first)
      await page.getByRole('button', { name: 'I stored it' }).click()
      await page.getByText('Works, the old secret too').waitFor()
      await page.getByRole('button', { name: 'Server' }).click()
      await page.getByRole('button', { name: 'Rotate secret' }).click()
      await page.getByRole('alert').filter({ hasText: 'A rotation is under way' }).waitFor()
      await page.getByRole('dialog').last().getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Revoke key' }).click()
      await page.getByRole('dialog').last().getByRole('button', { name: 'Revoke key' }).click()
      await toastSaying(page, 'The key is revoked')
      const made = (await rows('/api-keys')).find(({ label }) => label === 'Server')
      expect(made?.revokedAt).toBeString()
      expect(await page.locator('main').textContent()).not.toContain(first ?? 'svc_sec_')
      await soon(async () => expect(await page.getByRole('button', { name: HOSTILE }).count()).toBe(1))
    },
    SLOW,
  )

  test(
    'people are invited, refused when they are members, given another role, and removed',
    async () => {
      const { page } = owner
      await goTo(page, '/p/demo/settings/members')
      await page.getByRole('button', { name: 'Invite', exact: true }).click()
      await page.getByLabel('Mail').fill('support@example.com')
      await page.getByRole('button', { name: 'Send invitation' }).click()
      await page.getByRole('alert').filter({ hasText: 'ALREADY_MEMBER' }).waitFor()
      await page.getByLabel('Mail').fill('new@example.com')
      await page.getByRole('button', { name: 'Send invitation' }).click()
      await toastSaying(page, 'this server sends no mail')
      const { link } = (await rows('/invitations')).find(({ email }) => email === 'new@example.com') ?? {}
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Actions for new@example.com' }).click()
      await page.getByRole('menuitem', { name: 'Copy link' }).click()
      await toastSaying(page, 'It opens only on the machine of the server')
      await soon(async () => expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link ?? 'no link'))
      await page.getByRole('button', { name: 'Actions for new@example.com' }).click()
      await page.getByRole('menuitem', { name: 'Revoke invitation' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
      await toastSaying(page, 'The invitation is revoked')
      const invitation = (await rows('/invitations')).find(({ email }) => email === 'new@example.com')
      expect(invitation?.state ?? 'REVOKED').toBe('REVOKED')
      await page.getByRole('button', { name: `Actions for ${HOSTILE}` }).click()
      await page.getByRole('menuitem', { name: 'Change role' }).click()
      await page.getByRole('dialog').getByLabel('Role').selectOption('GROWTH')
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await toastSaying(page, `${HOSTILE}: saved`)
      const member = (await rows('/members')).find(({ email }) => email === 'support@example.com')
      expect(member?.role).toBe('GROWTH')
      await stage.call('PATCH', at(`/members/${member?.userId}`), { role: 'CUSTOMER_SUPPORT' })
    },
    SLOW,
  )

  test(
    'an edited project file shows its problems and its differences, and is applied',
    async () => {
      const { page } = owner
      await goTo(page, '/p/demo/settings/project-file?view=apply')
      const text = page.getByLabel('Project file, YAML or JSON')
      const saved = await text.inputValue()
      await text.fill(saved.replace('displayName: Pro Monthly', 'displayNam: Pro Monthly'))
      await page.getByRole('button', { name: 'Show the differences' }).click()
      await page.getByRole('heading', { name: /problems? in the text/ }).waitFor()
      await soon(async () =>
        expect(await page.getByRole('button', { name: 'Apply to the project' }).isDisabled()).toBe(true),
      )
      await text.fill(saved.replace('displayName: Pro Monthly', 'displayName: Pro each month'))
      await page.getByRole('button', { name: 'Show the differences' }).click()
      await page.getByText('"Pro each month"').waitFor()
      await page.getByRole('button', { name: 'Apply to the project' }).click()
      await page.getByRole('button', { name: /^Apply: 0 created, 1 changed/ }).click()
      await toastSaying(page, 'The file is applied')
      expect(String((await data('/project-file')).yaml)).toContain('displayName: Pro each month')
      await goTo(page, '/p/demo/settings/project-file?view=drift')
      await page.getByText('+displayName: Pro each month').waitFor()
    },
    SLOW,
  )

  test(
    'the name of a key is saved without moving its expiry',
    async () => {
      const { page } = owner
      const expiresAt = new Date(Date.now() + 40 * 86_400_000).toISOString()
      const made = await stage.call('POST', at('/api-keys'), { label: 'Ends', kind: 'secret', expiresAt })
      const { id } = made.data as { id: string }
      await goTo(page, `/p/demo/settings/api-keys?key=${id}`)
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Label').fill('Ends soon')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await toastSaying(page, 'Ends soon: saved')
      const saved = (await rows('/api-keys')).find((key) => key.id === id)
      expect(saved).toMatchObject({ label: 'Ends soon', expiresAt })
    },
    SLOW,
  )

  test(
    'a file that renames the project and makes a secret shows both, and goes to the new address',
    async () => {
      const { page } = owner
      const hook = "{ hook: { url: 'https://8.8.8.8/svc', eventTypes: ['*'] } }"
      await goTo(page, '/p/demo/settings/project-file?view=apply')
      const text = page.getByLabel('Project file, YAML or JSON')
      await text.fill(`version: 1\nproject: { slug: demo-two, was: demo }\nwebhookEndpoints: ${hook}\n`)
      await page.getByRole('button', { name: 'Show the differences' }).click()
      await page.getByRole('button', { name: 'Apply to the project' }).click()
      await page.getByRole('button', { name: /^Apply: / }).click()
      await page.locator('pre', { hasText: 'whsec_' }).waitFor()
      await page.waitForURL('**/p/demo-two/settings/project-file?view=apply')
      await page.getByRole('button', { name: 'I stored it' }).click()
      await until(async () => (await text.inputValue()).includes('slug: demo-two'))
      await stage.call('PATCH', at(''), { slug: 'demo' })
    },
    SLOW,
  )

  test(
    'the audit log filters by the address, shows differences, and proves its chain',
    async () => {
      const { page } = owner
      await goTo(page, '/p/demo/settings/audit-log?action=api-key')
      await page.getByLabel('What: flag.update').fill('flag.create')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.waitForURL(/action=flag\.create/)
      await page.getByRole('button', { name: 'flag.create' }).first().click()
      await page.getByRole('dialog').getByText('Difference', { exact: true }).waitFor()
      // The address of a row opens it whatever the filters are.
      const opened = new URL(page.url())
      opened.searchParams.set('action', 'no.such')
      await goTo(page, `${opened.pathname}${opened.search}`)
      await page.getByRole('dialog').getByText('Difference', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Nothing matches these filters').waitFor()
      await page.getByRole('button', { name: 'Check the chain' }).click()
      await page.getByText('Whole: no row was changed').waitFor()
      await goTo(page, '/p/demo/settings/notifications')
      await page.getByRole('switch', { name: 'Data export failed: Mail' }).click()
      await toastSaying(page, 'Notifications: saved')
      expect(await data('/notification-defaults')).toMatchObject({ kinds: { export_failed: { email: false } } })
    },
    SLOW,
  )

  test(
    'a low role sees why it may not act, and not what it may never read',
    async () => {
      const visit = await stage.open({ cookie: support })
      const { page } = visit
      await goTo(page, '/p/demo/settings')
      await page.getByText('It needs Admin').first().waitFor()
      await soon(async () => expect(await page.getByLabel('Slug').isDisabled()).toBe(true))
      await soon(async () => expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0))
      await soon(async () => expect(await page.getByRole('link', { name: 'Danger' }).count()).toBe(0))
      await goTo(page, '/p/demo/settings/api-keys')
      await soon(async () => expect(await page.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true))
      await goTo(page, '/p/demo/settings/members')
      await page.getByRole('button', { name: `Actions for ${HOSTILE}` }).click()
      await page.getByRole('menuitem', { name: 'Leave project' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Leave project' }).click()
      await page.waitForURL(/\/projects$/)
      expect((await rows('/members')).map(({ email }) => email)).toEqual(['owner@example.com'])
      await visit.close()
    },
    SLOW,
  )

  for (const [role, { mayGo, mayNot, refused }] of Object.entries(ROLES))
    test(
      `what a ${role} may not do is not offered, and refused when it is forced`,
      async () => {
        const email = `${role.toLowerCase().replace('_', '-')}@example.net`
        const member = await addMember(stage, email, role as keyof typeof ROLES)
        const { page, complaints, close } = await stage.open({ cookie: member.cookie })
        await goTo(page, '/p/demo/settings/members')
        for (const name of mayGo)
          expect([name, await page.getByRole('link', { name, exact: true }).count()]).toEqual([name, 1])
        for (const name of mayNot)
          expect([name, await page.getByRole('link', { name, exact: true }).count()]).toEqual([name, 0])
        // Who types the address of a screen that is not offered reads why there is nothing.
        if (mayNot.includes('Audit log')) {
          await goTo(page, '/p/demo/settings/audit-log')
          await page.getByText('ROLE_REQUIRED').waitFor()
        }
        for (const [method, path, body] of refused) {
          const { status, code } = await member.call(method, at(path), body)
          expect([method, path, status, code]).toEqual([
            method,
            path,
            403,
            expect.stringMatching(/^(ROLE|CAPABILITY)_REQUIRED$/),
          ])
        }
        expect(complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
        await close()
      },
      SLOW,
    )

  test(
    'the only owner cannot leave, and gives the project away when its slug is typed',
    async () => {
      const { page } = owner
      const made = await stage.call('POST', '/dashboard/projects', { name: 'Given', slug: 'given-one' })
      const { project } = made.data as { project: { id: string } }
      await stage.svc('member', 'add', 'admin@example.net', '--role', 'ADMIN', '--project', 'given-one')
      await goTo(page, '/p/given-one/settings/danger?do=leave')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('This is the only owner').waitFor()
      await soon(async () =>
        expect(await dialog.getByRole('button', { name: 'Leave project' }).isDisabled()).toBe(true),
      )
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await page.getByLabel('New owner').selectOption({ label: 'admin@example.net · admin@example.net' })
      await page.getByRole('button', { name: 'Transfer ownership' }).click()
      await dialog.getByText('Owner → Admin').waitFor()
      await page.getByLabel('Type given-one to confirm').fill('given-one')
      await dialog.getByRole('button', { name: 'Transfer ownership' }).click()
      await toastSaying(page, 'owns the project now')
      await page.getByText('Danger needs the role Owner').waitFor()
      await page.getByRole('link', { name: 'Show the members' }).click()
      await page.getByRole('button', { name: 'Actions for admin@example.net' }).click()
      await soon(async () =>
        expect(await page.getByRole('menuitem', { name: 'Remove' }).getAttribute('title')).toContain('It needs Owner'),
      )
      await page.keyboard.press('Escape')
      expect((await stage.call('GET', `/dashboard/projects/${project.id}`)).data).toMatchObject({ role: 'ADMIN' })
    },
    SLOW,
  )

  test(
    'a project is deleted only when its slug is typed',
    async () => {
      const { page } = owner
      const made = await stage.call('POST', '/dashboard/projects', { name: 'Old', slug: 'old-one' })
      const { project } = made.data as { project: { id: string } }
      await goTo(page, '/p/old-one/settings/danger')
      await page.getByRole('button', { name: 'Delete project' }).click()
      const act = page.getByRole('dialog').getByRole('button', { name: 'Delete project' })
      await soon(async () => expect(await act.isDisabled()).toBe(true))
      await page.getByLabel('Type old-one to confirm').fill('old-one')
      await act.click()
      await page.waitForURL(/\/projects$/)
      expect((await stage.call('GET', `/dashboard/projects/${project.id}`)).status).toBe(404)
      // The browser reports each refused call that a test provokes, and nothing else.
      expect(owner.complaints.filter((line) => !line.includes('Failed to load resource'))).toEqual([])
    },
    SLOW,
  )
})
