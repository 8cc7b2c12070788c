import type { ReactNode } from 'react'
import { Because } from '../../../kit/mark'
import { Dot } from '../../../kit/state'
import { Time } from '../../../kit/values'
import { useReason } from '../../../parts/store-reason'
import { useText } from '../../../text/catalogue'
import type { Domain } from './model'

/** The certificate and the wallets of a verified name. */
export function DomainFacts({ domain: { certificate, wallets } }: { domain: Domain }) {
  const t = useText('domains')
  const reasonOf = useReason()
  const { error } = certificate
  return (
    <div className="grid grid-cols-2 border-t border-line max-md:grid-cols-1">
      <section className="grid content-start gap-2 px-4 py-3 text-sm">
        <h3 className="font-semibold">{t.certificate}</h3>
        <Fact name={t.status}>{t.certificates[certificate.status]}</Fact>
        <Fact name={t.issuer}>{certificate.issuer ?? '—'}</Fact>
        <Fact name={t.validTo}>
          <Time at={certificate.notAfter} absolute />
        </Fact>
        {error && (
          <Because>
            {t.certificateErrors[error.code]} {reasonOf(error.detail)}
          </Because>
        )}
      </section>
      <section className="grid content-start gap-2 border-line px-4 py-3 text-sm md:border-l">
        <h3 className="font-semibold">{t.wallets}</h3>
        {wallets === null && <p className="text-ink-2">{t.noAccount}</p>}
        {wallets !== null &&
          (['applePay', 'googlePay', 'link', 'paypal'] as const).map((wallet) => (
            <Fact key={wallet} name={t.walletNames[wallet]}>
              <span className="inline-flex items-center gap-2">
                <Dot tone={wallets[wallet].status === 'ACTIVE' ? 'good' : 'mute'} />
                {wallets[wallet].status === 'ACTIVE' ? t.on : t.off}
              </span>
            </Fact>
          ))}
        {wallets?.applePay.error != null && <Because>{wallets.applePay.error}</Because>}
      </section>
    </div>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <p className="flex justify-between gap-4 border-b border-line pb-2 last:border-b-0">
    <span className="text-ink-2">{name}</span>
    <span className="text-right wrap-anywhere">{children}</span>
  </p>
)
