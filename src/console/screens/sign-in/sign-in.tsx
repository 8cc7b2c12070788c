import { KeyRound } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useAction, useRead } from '../../api/queries'
import { Button } from '../../kit/button'
import { CopyText } from '../../kit/copy'
import { FormFailure } from '../../kit/failure'
import { useParams } from '../../lib/url-state'
import { useText } from '../../text/catalogue'
import { useEntered } from './entered'
import { Outside, TextLink } from './outside'
import { ownPath } from './own-path'
import { hasPasskeys, signInWithPasskey } from './passkey'
import { CodeStep, PasswordStep, type SignInNext } from './steps'
import { AskVerification } from './verify-email'

/** Password, second factor, passkey and the providers of the deployment. */
export default function SignIn() {
  const t = useText('signIn')
  const [params, setParams] = useParams()
  const entered = useEntered()
  const [unverified, setUnverified] = useState<string | null>(null)
  // After a provider the server names the page so.
  const page = ownPath(params.get('next') ?? params.get('page'))
  const onNext = (next: SignInNext, email: string) =>
    next === 'TWO_FACTOR' ? setParams({ step: 'two-factor' }, { push: true }) : setUnverified(email)
  if (unverified !== null) return <AskVerification email={unverified} />
  if (params.get('step') === 'two-factor') {
    return (
      <Outside
        title={t.twoFactorTitle}
        hint={t.twoFactorHint}
        below={<TextLink href={`/sign-in?next=${encodeURIComponent(page)}`}>{t.startAgain}</TextLink>}
      >
        <CodeStep onUser={() => entered(page)} />
      </Outside>
    )
  }
  return (
    <Outside title={t.signInTitle} below={<Others />}>
      <ProviderFailure code={params.get('error')} />
      <PasswordStep onUser={() => entered(page)} onNext={onNext} />
      <OtherWays page={page} onUser={() => entered(page)} />
    </Outside>
  )
}

function ProviderFailure({ code }: { code: string | null }) {
  const t = useText('signIn')
  if (code === null) return null
  const message = Object.entries(t.failures).find(([one]) => one === code)?.[1] ?? t.failures.failed
  return (
    <p role="alert" className="rounded-control bg-warn-soft px-3 py-2 text-sm text-warn">
      {message}
    </p>
  )
}

function OtherWays({ page, onUser }: { page: string; onUser: () => void }) {
  const t = useText('signIn')
  const options = useRead('/api/auth/options', {})
  const passkey = useAction({ run: signInWithPasskey, onDone: (done) => done && onUser() })
  const providers = options.data?.providers ?? []
  if (!hasPasskeys() && providers.length === 0) return null
  return (
    <div className="grid gap-2">
      <p className="flex items-center gap-3 text-xs text-ink-2 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t.or}
      </p>
      <FormFailure error={passkey.error} />
      {hasPasskeys() && (
        <Button
          icon={<KeyRound aria-hidden size={14} />}
          busy={passkey.busy}
          onClick={() => passkey.submit(undefined)}
          className="h-9"
        >
          {t.withPasskey}
        </Button>
      )}
      {providers.map((one) => (
        <ProviderLink key={one} href={`/api/auth/oauth/${one}?page=${encodeURIComponent(page)}`}>
          {t.withProvider(t.providers[one])}
        </ProviderLink>
      ))}
    </div>
  )
}

/** Leaves the page: the server sends the browser on to the provider. */
export const ProviderLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a
    href={href}
    className="inline-flex h-9 items-center justify-center rounded-control border border-line-2 bg-surface px-3 text-sm font-medium hover:bg-hover"
  >
    {children}
  </a>
)

/** What to do without an account, and without the password. */
function Others() {
  const t = useText('signIn')
  const options = useRead('/api/auth/options', {})
  if (!options.data) return null
  const { signUp, mail } = options.data
  return (
    <>
      {signUp === 'OPEN' && (
        <p>
          {t.noAccount} <TextLink href={`/sign-up${location.search}`}>{t.signUp}</TextLink>
        </p>
      )}
      {signUp === 'INVITATION' && <p>{t.byInvitation}</p>}
      {signUp === 'SETUP' && <Command title={t.noUsers} hint={t.noUsersHint} text="svc user setup-link" />}
      {signUp !== 'SETUP' && mail && (
        <p>
          <TextLink href="/reset-password">{t.forgot}</TextLink>
        </p>
      )}
      {signUp !== 'SETUP' && !mail && (
        <details>
          <summary className="min-h-6 font-medium text-accent">{t.forgot}</summary>
          <Command hint={t.forgotWithoutMail} text="svc user reset-password USER" />
        </details>
      )}
    </>
  )
}

const Command = ({ title, hint, text }: { title?: string; hint: string; text: string }) => (
  <div className="grid gap-1">
    {title !== undefined && <p className="font-medium text-ink">{title}</p>}
    <p>{hint}</p>
    <CopyText text={text} className="text-ink" />
  </div>
)
