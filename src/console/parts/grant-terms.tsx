import { useState } from 'react'
import { useEvery } from '../api/every'
import type { Schemas } from '../api/schemas'
import { DateInput } from '../kit/date-input'
import { Empty } from '../kit/empty'
import { Field, Select, TextInput } from '../kit/field'
import { Segmented } from '../kit/tabs'
import { now } from '../lib/clock'
import { useProject } from '../lib/session'
import { Choice, Choices } from './choices'
import { instantOf, wallOf } from './instants'
import { useWords } from './words'

type Kind = 'access' | 'product'
type Length = '1' | '3' | '7' | '30' | 'date' | 'forever'
const DAY = 86_400_000

/** The fields of a grant: access or product, end and reason. `lost`: the accesses that are preselected. */
export function useGrantTerms(lost: readonly string[]) {
  const { t, reading } = useWords()
  const { path } = useProject()
  const { items: accesses } = useEvery('/dashboard/projects/{projectId}/access', {
    params: { path, query: { limit: 200 } },
  })
  const { items: catalogue } = useEvery('/dashboard/projects/{projectId}/products', {
    params: { path, query: { limit: 200 } },
  })
  const [start] = useState(now)
  const [kind, setKind] = useState<Kind>('access')
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const [product, setProduct] = useState('')
  const [length, setLength] = useState<Length>('3')
  const [wall, setWall] = useState(() => wallOf(start + 14 * DAY, reading.zone))
  const [reason, setReason] = useState('')
  const names = accesses.map(({ identifier }) => identifier)
  // With one access level there is nothing to choose.
  const held = chosen ?? (names.length === 1 ? names : lost)
  const products = catalogue.filter(({ accessIds, isActive }) => isActive && accessIds.length > 0)
  const productId = product || (products[0]?.id ?? '')
  const end = endOf(length, wall, start, reading.zone)
  const body: Schemas['GrantRequest'] = {
    ...(kind === 'access' ? { accessIds: [...held] } : { productId }),
    ...(end !== null && { expiresAt: end }),
    ...(reason.trim() !== '' && { reason: reason.trim() }),
  }
  const isReady = kind === 'access' ? held.length > 0 : productId !== ''
  const what =
    kind === 'access' ? held.join(', ') : (products.find(({ id }) => id === productId)?.displayName ?? t.product)
  return {
    names,
    held,
    setChosen,
    kind,
    setKind,
    products,
    productId,
    setProduct,
    length,
    setLength,
    wall,
    setWall,
    reason,
    setReason,
    body,
    isReady,
    what,
  }
}

export type GrantTerms = ReturnType<typeof useGrantTerms>

function endOf(length: Length, wall: string, start: number, zone: string): string | null {
  if (length === 'forever') return null
  return length === 'date' ? (instantOf(wall, zone) ?? wall) : new Date(start + Number(length) * DAY).toISOString()
}

/** The fields of a grant. */
export function GrantFields({ terms }: { terms: GrantTerms }) {
  const { t } = useWords()
  return (
    <>
      <What terms={terms} />
      <Until terms={terms} />
      <Field label={t.reason} name="reason" hint={t.reasonHint} isOptional>
        <TextInput maxLength={200} value={terms.reason} onChange={(event) => terms.setReason(event.target.value)} />
      </Field>
    </>
  )
}

function What({ terms }: { terms: GrantTerms }) {
  const { t } = useWords()
  if (terms.names.length === 0) return <Empty title={t.noAccessDefined}>{t.noAccessDefinedWhy}</Empty>
  return (
    <>
      {terms.products.length > 0 && (
        <Segmented<Kind>
          label={t.grantWhat}
          value={terms.kind}
          onChange={terms.setKind}
          options={[
            ['access', t.grantAccess],
            ['product', t.grantProduct],
          ]}
        />
      )}
      {terms.kind === 'access' ? (
        <Choices label={t.grantAccess}>
          {terms.names.map((name) => (
            <Choice
              key={name}
              kind="checkbox"
              name="access"
              title={name}
              checked={terms.held.includes(name)}
              onChange={(isOn) =>
                terms.setChosen(isOn ? [...terms.held, name] : terms.held.filter((one) => one !== name))
              }
            />
          ))}
        </Choices>
      ) : (
        <Field label={t.product} name="productId">
          <Select
            value={terms.productId}
            onChange={(event) => terms.setProduct(event.target.value)}
            options={terms.products.map(({ id, displayName, identifier }) => [id, displayName || identifier])}
          />
        </Field>
      )}
    </>
  )
}

function Until({ terms }: { terms: GrantTerms }) {
  const { t, reading } = useWords()
  const lengths: readonly Length[] = ['1', '3', '7', '30', 'date', 'forever']
  const nameOfLength = (one: Length): string => {
    if (one === 'date') return t.grantDate
    return one === 'forever' ? t.grantForever : t.grantFor(Number(one))
  }
  return (
    <>
      <Field label={t.grantUntil} name="expiresAt">
        <Select
          value={terms.length}
          onChange={(event) => terms.setLength(event.target.value as Length)}
          options={lengths.map((one) => [one, nameOfLength(one)])}
        />
      </Field>
      {terms.length === 'date' && (
        <Field label={t.endDate} name="expiresAt" hint={t.zoneHint(reading.zone)}>
          <DateInput hasTime value={terms.wall} onChange={terms.setWall} />
        </Field>
      )}
    </>
  )
}
