import { api, read } from '../../api/client'
import { useList, useRead } from '../../api/queries'
import type { Schemas } from '../../api/schemas'
import { Card, Columns } from '../../kit/card'
import { ConflictDialog } from '../../kit/conflict'
import { CopyText } from '../../kit/copy'
import { useEdit } from '../../kit/edit'
import { Empty, Skeleton } from '../../kit/empty'
import { Failure } from '../../kit/failure'
import { Checkbox, Field, Select, Switch } from '../../kit/field'
import { FilterSelect } from '../../kit/filter-select'
import { Form } from '../../kit/form'
import { NumberInput } from '../../kit/number-input'
import { Page } from '../../kit/page'
import { State, toneOf } from '../../kit/state'
import { DataTable } from '../../kit/table'
import { toast } from '../../kit/toast'
import { Count, Money, Time } from '../../kit/values'
import { useProject } from '../../lib/session'
import { useParam } from '../../lib/url-state'
import { PersonLink } from '../../parts/person-link'
import { useHref } from '../../parts/use-href'
import { wordOf } from '../../parts/words'
import { useText } from '../../text/catalogue'
import { Figures, FiguresAhead } from './parts/figures'
import { ShieldFile } from './shield-file'

type Shield = Schemas['RefundShield']
type Response = Schemas['RefundShieldResponse']
type Outcome = 'REFUND_APPROVED' | 'REFUND_DECLINED' | 'REFUND_REVERSED'
const SHIELD = '/dashboard/projects/{projectId}/refund-shield'

/** What is sent to Apple when a customer asks for a refund, and the result. */
export default function RefundShield() {
  const t = useText('revenue')
  const c = useText('common')
  const { path } = useProject()
  const { data, error, refetch } = useRead(SHIELD, { params: { path } })
  return (
    <Page title={c.refundShield} purpose={<Purpose shield={data} />} beside={data && <OnOff shield={data} />}>
      <FiguresOf />
      <Columns
        main={<Responses />}
        side={
          <Card title={t.settings}>
            {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
            {!data && !error && <Skeleton lines={5} />}
            {data && <Settings shield={data} />}
          </Card>
        }
      />
    </Page>
  )
}

const OnOff = ({ shield: { enabled, customerConsented } }: { shield: Shield }) => {
  const c = useText('common')
  return <State tone={!enabled ? 'mute' : customerConsented ? 'good' : 'warn'}>{enabled ? c.on : c.off}</State>
}

/** What the screen is for, and why nothing is answered at present. */
const Purpose = ({ shield }: { shield: Shield | undefined }) => {
  const t = useText('revenue')
  return (
    <>
      {t.shieldPurpose}
      {!shield && <span className="block">{'\u00a0'}</span>}
      {shield && !shield.enabled && <span className="block">{t.off}</span>}
      {shield?.enabled && !shield.customerConsented && <span className="block text-warn">{t.noConsent}</span>}
    </>
  )
}

function FiguresOf() {
  const t = useText('revenue')
  const href = useHref()
  const { path } = useProject()
  const { data, error, refetch } = useRead('/dashboard/projects/{projectId}/refund-shield/metrics', {
    params: { path },
  })
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data) return <FiguresAhead names={[t.requests, t.sent, t.declined, t.approved, t.kept]} />
  const rows = (query: Record<string, string>) => href('/revenue/refund-shield', query)
  return (
    <Figures
      figures={[
        { name: t.requests, value: <Count value={data.requests} />, href: rows({}) },
        { name: t.sent, value: <Count value={data.sent} />, href: rows({ status: 'SENT' }) },
        { name: t.declined, value: <Count value={data.declined} />, href: rows(DECLINED) },
        { name: t.approved, value: <Count value={data.approved} />, href: rows({ outcome: 'REFUND_APPROVED' }) },
        {
          name: t.kept,
          value: <Money micros={data.savedMicros} currency="USD" />,
          href: rows({ status: 'SENT', ...DECLINED }),
        },
      ]}
    />
  )
}

const DECLINED = { outcome: 'REFUND_DECLINED' }

function Responses() {
  const t = useText('revenue')
  const c = useText('common')
  const { path } = useProject()
  const [status, setStatus] = useParam('status')
  const [outcome, setOutcome] = useParam('outcome')
  const isFiltered = status !== '' || outcome !== ''
  const list = useList('/dashboard/projects/{projectId}/refund-shield/responses', {
    params: { path, query: { limit: 50, status: status as Response['status'], outcome: outcome as Outcome } },
  })
  return (
    <Card
      flush
      title={t.responses}
      aside={
        <>
          <FilterSelect
            label={c.status}
            value={status}
            onChange={(event) => setStatus(event.target.value)}
            options={[['', t.any], ...Object.entries(t.responseStates)]}
          />
          <FilterSelect
            label={t.outcome}
            value={outcome}
            onChange={(event) => setOutcome(event.target.value)}
            options={[['', t.any], ...Object.entries(t.outcomes)]}
          />
        </>
      }
    >
      <DataTable
        label={t.responses}
        list={list}
        keyOf={({ id }) => id}
        empty={<Empty title={isFiltered ? c.nothingFound : t.noRequests}>{!isFiltered && t.noRequestsWhy}</Empty>}
        columns={[
          { title: c.createdAt, cell: ({ createdAt }) => <Time at={createdAt} absolute /> },
          {
            title: t.person,
            cell: ({ subscriberId }) => (subscriberId === null ? '—' : <PersonLink id={subscriberId} />),
          },
          { title: t.charge, isExtra: true, cell: ({ transactionId }) => <CopyText text={transactionId} /> },
          { title: c.state, cell: (row) => <State tone={toneOf(row.status)}>{t.responseStates[row.status]}</State> },
          { title: t.outcome, cell: ({ outcome }) => (outcome === null ? '—' : wordOf(t.outcomes, outcome)) },
          { title: t.due, isExtra: true, cell: ({ dueAt }) => <Time at={dueAt} /> },
          { title: t.answeredAt, isExtra: true, cell: ({ sentAt }) => <Time at={sentAt} /> },
        ]}
      />
    </Card>
  )
}

/** The server takes no longer delay, because Apple waits for twelve hours. */
const MOST_MINUTES = 660

type Draft = Pick<Shield, 'enabled' | 'customerConsented' | 'policy' | 'delayMinutes'>

const draftOf = ({ enabled, customerConsented, policy, delayMinutes }: Shield): Draft => ({
  enabled,
  customerConsented,
  policy,
  delayMinutes,
})

function Settings({ shield }: { shield: Shield }) {
  const c = useText('common')
  const { hasRole } = useProject()
  const edit = useShieldEdit(shield)
  const draft = edit.draft.value
  const reason = hasRole('OWNER') ? null : c.roleNeeded('OWNER')
  const set = (change: Partial<Draft>) => edit.draft.set((before) => ({ ...before, ...change }))
  return (
    <>
      <ConflictDialog edit={edit} />
      {reason !== null && <p className="pb-4 text-sm text-ink-2">{reason}</p>}
      <Form
        onSubmit={edit.save}
        submit={c.save}
        busy={edit.busy}
        error={edit.error}
        {...(edit.draft.isChanged && { onCancel: edit.draft.discard })}
        reason={reason}
      >
        <Fields draft={draft} set={set} isFixed={reason !== null} />
      </Form>
      <ShieldFile shield={shield} draft={edit.draft.isChanged ? draft : null} />
    </>
  )
}

interface FieldsProps {
  draft: Draft
  set: (change: Partial<Draft>) => void
  isFixed: boolean
}

function Fields({ draft, set, isFixed }: FieldsProps) {
  const t = useText('revenue')
  return (
    <fieldset disabled={isFixed} className="grid gap-4">
      <Switch checked={draft.enabled} onChange={(enabled) => set({ enabled })} label={t.enabled} />
      <Field label={t.policy} name="policy">
        <Select
          value={draft.policy}
          onChange={(event) => set({ policy: event.target.value as Shield['policy'] })}
          options={Object.entries(t.policies)}
        />
      </Field>
      <Field label={t.delay} name="delayMinutes" hint={t.delayHint}>
        <NumberInput
          isWhole
          min={0}
          max={MOST_MINUTES}
          value={draft.delayMinutes}
          onChange={(delayMinutes) => set({ delayMinutes })}
        />
      </Field>
      <div className="grid gap-1">
        <Checkbox
          checked={draft.customerConsented}
          onChange={(customerConsented) => set({ customerConsented })}
          label={t.consented}
        />
        <p className="text-xs text-ink-2">{t.consentedHint}</p>
      </div>
    </fieldset>
  )
}

/** The settings as they are changed. They are saved with the revision that was on the screen at the first change. */
function useShieldEdit(shield: Shield) {
  const t = useText('revenue')
  const c = useText('common')
  const { path } = useProject()
  const savedOf = (one: Shield) => ({ value: draftOf(one), revision: one.revision })
  const yesNo = (is: boolean) => (is ? c.yes : c.no)
  return useEdit({
    name: `refund-shield.${path.projectId}`,
    saved: savedOf(shield),
    lines: ({ enabled, policy, delayMinutes, customerConsented }: Draft) => [
      { key: 'enabled', label: t.enabled, text: yesNo(enabled) },
      { key: 'policy', label: t.policy, text: t.policies[policy] },
      { key: 'delayMinutes', label: t.delay, text: String(delayMinutes) },
      { key: 'customerConsented', label: t.consented, text: yesNo(customerConsented) },
    ],
    save: (body, header) => api.put(SHIELD, { params: { path, header }, body }),
    readNewest: async () => savedOf(await read(SHIELD, { params: { path } })),
    refreshes: [SHIELD],
    onSaved: () => toast(t.saved),
  })
}
