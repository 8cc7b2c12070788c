import { MoreHorizontal, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Button } from '../../../kit/button'
import { Card } from '../../../kit/card'
import { Because } from '../../../kit/mark'
import { Menu } from '../../../kit/menu'
import { Chip, Dot } from '../../../kit/state'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { Time } from '../../../kit/values'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { DeleteDomain } from './delete-domain'
import { DomainFacts } from './domain-facts'
import { DomainRecords } from './domain-records'
import { EditRoot } from './edit-root'
import { type Domain, needOf, PATH, STEPS, stepTones, toneOfNeed } from './model'

/** One name: what is wrong and what to do, its records, and how far its five steps are. */
export function DomainCard({ domain, reason }: { domain: Domain; reason: string | null }) {
  const failed = useFailureToast()
  const t = useText('domains')
  const { path } = useProject()
  const common = useText('common')
  const [doing, setDoing] = useState<'root' | 'delete' | null>(null)
  const need = needOf(domain)
  const check = useAction({
    run: () => api.post(`${PATH}/{id}/verify`, { params: { path: { ...path, id: domain.id } }, body: {} }),
    refreshes: [PATH],
    onFailure: failed,
  })
  const { hostname, unicodeHostname } = domain
  return (
    <Card
      flush
      title={
        <span className="flex flex-wrap items-center gap-2">
          {unicodeHostname}
          <Chip tone={toneOfNeed(need)}>{t.states[need]}</Chip>
          {unicodeHostname !== hostname && <span className="font-mono text-xs text-ink-2">{hostname}</span>}
        </span>
      }
      aside={
        <>
          {domain.checkedAt === null ? t.notChecked : t.checked} <Time at={domain.checkedAt} />
          <Button
            icon={<RefreshCw aria-hidden size={14} />}
            onClick={() => check.submit(undefined)}
            busy={check.busy}
            reason={reason}
          >
            {t.checkNow}
          </Button>
          <Menu
            className="inline-flex size-7 items-center justify-center rounded-inner text-ink-2 hover:bg-hover hover:text-ink max-md:size-9"
            label={
              <>
                <MoreHorizontal aria-hidden size={15} />
                <span className="sr-only">
                  {common.actions} {hostname}
                </span>
              </>
            }
            items={[
              { label: t.editRoot, onSelect: () => setDoing('root'), reason },
              'line',
              { label: common.delete, onSelect: () => setDoing('delete'), isDangerous: true, reason },
            ]}
          />
        </>
      }
    >
      {need !== 'nothing' && (
        <div className="px-4 py-3">
          <Because>{t.needs[need](domain.dns.seen.join(', '))}</Because>
        </div>
      )}
      {need !== 'nothing' && need !== 'certificate' && <DomainRecords domain={domain} />}
      <Steps domain={domain} />
      {domain.status === 'VERIFIED' && <DomainFacts domain={domain} />}
      {doing === 'root' && <EditRoot domain={domain} onClose={() => setDoing(null)} reason={reason} />}
      {doing === 'delete' && <DeleteDomain domain={domain} onClose={() => setDoing(null)} reason={reason} />}
    </Card>
  )
}

function Steps({ domain }: { domain: Domain }) {
  const t = useText('domains')
  const tones = stepTones(domain)
  return (
    <ol className="grid grid-cols-5 border-t border-line max-md:grid-cols-1">
      {STEPS.map((step) => (
        <li key={step} className="flex items-center gap-2 border-line px-4 py-3 text-sm md:not-first:border-l">
          <Dot tone={tones[step]} />
          <span>
            {t.steps[step]} <span className="text-xs text-ink-2">{t.stepStates[tones[step]]}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
