import { codeOf, tokenIn, work } from './accounts'
import { type AuditedCall, type AuditedCase, keeps, kept, publicBrowser, type World } from './audited-calls'
import { Authenticator } from './authenticator'
import type { Answer } from './cast'
import type { Person } from './crew'
import { PUBLIC_URL } from './three-stores'
import { PASSWORD, type Visitor } from './visitor'

const EMAIL = 'new@example.com'
const NEXT = 'a brand new password'
const CREDENTIALS = { email: EMAIL, password: NEXT }

/** The cases of one account, from its sign-up to its end. */
export function accountCases(w: World): AuditedCase[] {
  const life = new Life(w)
  return [...life.begin(), ...life.settings(), ...life.twoFactors(), ...life.passkeys(), ...life.end()]
}

class Life {
  private id = ''
  private browserNow: Visitor | null = null
  private authenticator: Authenticator | null = null

  constructor(private readonly w: World) {}

  private get browser(): Visitor {
    this.browserNow ??= publicBrowser(this.w.s)
    return this.browserNow
  }

  private get me(): Person {
    return { id: this.id, email: EMAIL, browser: this.browser }
  }

  /** A call of the person; the target is the account. */
  private by(route: string, action: string, body?: unknown, after?: AuditedCase['after']): AuditedCase {
    return {
      route,
      prepare: () => ({
        action,
        path: route.split(' ')[1] ?? '',
        by: this.me,
        ...(body === undefined ? {} : { body }),
        ...(this.id === '' ? {} : { target: this.id }),
      }),
      ...(after && { after }),
    }
  }

  /** A call of the person about what was kept under a name. */
  private on(route: string, action: string, name: string): AuditedCase {
    const { prepare } = this.by(route, action)
    const path = () => route.replace(/^\w+ /, '').replace(':id', kept(this.w, name))
    return { route, prepare: async () => ({ ...(await prepare()), path: path() }) }
  }

  private with(route: string, action: string, body: () => Promise<unknown>, after?: AuditedCase['after']): AuditedCase {
    const prepare = async (): Promise<AuditedCall> => {
      const given = await body() // It may change who the caller is.
      return { ...(await this.by(route, action).prepare()), body: given }
    }
    return { route, prepare, ...(after && { after }) }
  }

  begin(): AuditedCase[] {
    return [
      this.by('POST /api/auth/sign-up', 'user.sign_up', { email: EMAIL, password: PASSWORD, name: 'New' }),
      this.with('POST /api/auth/verify-email', 'user.verify_email', async () => {
        const { s } = this.w
        const rows = await s.ctx.db.select().from(s.ctx.tables.users)
        this.id = rows.find(({ email }) => email === EMAIL)?.id ?? ''
        return { token: await tokenIn(s, 'verify_email') }
      }),
      this.by('POST /api/auth/sign-in', 'session.create', { email: EMAIL, password: PASSWORD }),
    ]
  }

  settings(): AuditedCase[] {
    const { w } = this
    const another = async (): Promise<string> => {
      await publicBrowser(w.s).signIn(EMAIL, NEXT)
      const { items } = (await this.browser.get('/dashboard/me/sessions')).body.data as Sessions
      return items.find(({ current }) => !current)?.id ?? 'none'
    }
    return [
      this.by('PATCH /dashboard/me', 'user.update', { name: 'Newer' }),
      this.by('PATCH /dashboard/me/preferences', 'user.update_preferences', { theme: 'DARK' }),
      this.by('PATCH /dashboard/notifications/preferences', 'user.update_notifications', { channels: { push: false } }),
      this.by(
        'POST /dashboard/push-devices',
        'push_device.create',
        { token: 't', platform: 'ios' },
        keeps(w, 'device'),
      ),
      this.on('DELETE /dashboard/push-devices/:id', 'push_device.delete', 'device'),
      this.by('PUT /dashboard/me/password', 'user.change_password', { currentPassword: PASSWORD, password: NEXT }),
      this.by('POST /dashboard/me/tokens', 'token.create', { name: 'CI' }, keeps(w, 'token')),
      this.on('DELETE /dashboard/me/tokens/:id', 'token.delete', 'token'),
      {
        route: 'DELETE /dashboard/me/sessions/:id',
        prepare: async () => ({
          action: 'session.revoke',
          path: `/dashboard/me/sessions/${await another()}`,
          by: this.me,
          target: this.id,
        }),
      },
      {
        route: 'DELETE /dashboard/me/sessions',
        prepare: async () => {
          await another()
          return { action: 'session.revoke_others', path: '/dashboard/me/sessions', by: this.me, target: this.id }
        },
      },
    ]
  }

  twoFactors(): AuditedCase[] {
    const { w } = this
    let backupCodes: string[] = []
    const keepCodes = (data: Answer['body']): void => {
      backupCodes = data.backupCodes
      if (data.otpauthUrl) w.kept.set('otpauth', data.otpauthUrl)
    }
    const code = async () => ({ code: codeOf(w.s, kept(w, 'otpauth')) })
    const pop = (): string => backupCodes.pop() ?? 'none'
    const backup = async () => ({ code: pop() })
    const tfa = '/dashboard/me/two-factor'
    return [
      this.by(`POST ${tfa}/enable`, 'two_factor.prepare', { password: NEXT }, keepCodes),
      this.with(`POST ${tfa}/confirm`, 'two_factor.enable', code),
      this.with('POST /api/auth/two-factor', 'session.create', async () => {
        this.browserNow = publicBrowser(w.s)
        await this.browser.signIn(EMAIL, NEXT)
        return { backupCode: pop() }
      }),
      this.with(`POST ${tfa}/backup-codes`, 'two_factor.renew_backup_codes', backup, keepCodes),
      this.with(`POST ${tfa}/disable`, 'two_factor.disable', backup),
    ]
  }

  passkeys(): AuditedCase[] {
    const { w } = this
    return [
      this.with(
        'POST /dashboard/me/passkeys',
        'passkey.create',
        async () => {
          this.authenticator = await Authenticator.make()
          const options = (await this.browser.post('/dashboard/me/passkeys/options')).body.data
          return { name: 'Laptop', credential: await this.authenticator.create(options, { origin: PUBLIC_URL }) }
        },
        keeps(w, 'passkey'),
      ),
      this.with('POST /api/auth/passkey', 'session.create', async () => {
        this.browserNow = publicBrowser(w.s)
        const options = (await this.browser.post('/api/auth/passkey/options')).body.data
        return { credential: await this.authenticator?.get(options, { origin: PUBLIC_URL }) }
      }),
      this.on('DELETE /dashboard/me/passkeys/:id', 'passkey.delete', 'passkey'),
    ]
  }

  end(): AuditedCase[] {
    return [
      this.by('POST /api/auth/sign-out', 'session.delete', {}),
      this.with('POST /api/auth/password-reset/confirm', 'user.reset_password', async () => {
        await this.browser.post('/api/auth/password-reset', { email: EMAIL })
        await work(this.w.s)
        return { token: await tokenIn(this.w.s, 'password_reset'), password: NEXT }
      }),
      this.with('DELETE /dashboard/me', 'user.delete', async () => {
        await this.browser.post('/api/auth/sign-in', CREDENTIALS)
        return { confirmEmail: EMAIL }
      }),
    ]
  }
}

interface Sessions {
  items: { id: string; current: boolean }[]
}
