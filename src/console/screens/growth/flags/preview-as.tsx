import { X } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../../../api/queries'
import type { Schemas } from '../../../api/schemas'
import { IconButton } from '../../../kit/button'
import { Failure } from '../../../kit/failure'
import { TextInput } from '../../../kit/field'
import { Chip } from '../../../kit/state'
import { useProject } from '../../../lib/session'
import { useParam } from '../../../lib/url-state'
import { useNameByKeys } from '../../../parts/person-link'
import { useText } from '../../../text/catalogue'

export interface PersonFacts {
  name: string
  attributes: Record<string, string>
  builtIns: Record<string, string | null>
  bucketingId: string
  /** What the saved flags give, by key. */
  flags: ReadonlyMap<string, unknown>
  groups: Schemas['Evaluation']['groups']
}

/** The person whom the address names, with what flags read of them. */
export function usePerson() {
  const { path } = useProject()
  const [id, setId] = useParam('as')
  const query = useRead(
    '/dashboard/projects/{projectId}/subscribers/{id}/evaluation',
    { params: { path: { ...path, id }, query: {} } },
    { enabled: id !== '', keep: false },
  )
  const facts = id !== '' && query.data ? factsOf(query.data) : null
  return { id, setId, facts, error: id === '' ? null : query.error }
}

const factsOf = ({ attributes, builtIns, bucketingId, flags, groups }: Schemas['Evaluation']): PersonFacts => ({
  name: builtIns['svc.appUserId'] ?? builtIns['svc.deviceKey'] ?? bucketingId,
  attributes,
  builtIns,
  bucketingId,
  flags: new Map(flags.map(({ key, value }) => [key, value])),
  groups,
})

/** Chooses one person; every environment then shows what they get, by the rules as edited. */
export function PreviewAs({ person: { setId, facts, error } }: { person: ReturnType<typeof usePerson> }) {
  const t = useText('growth')
  return (
    <section
      aria-label={t.previewAs}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-line bg-surface px-4 py-2.5 text-sm shadow-card"
    >
      <span className="text-ink-2">{t.previewAs}</span>
      {facts ? (
        <span className="inline-flex min-w-0 items-center gap-1 rounded-control border border-line-2 py-0.5 pr-0.5 pl-2.5">
          <b className="max-w-48 truncate font-medium">{facts.name}</b>
          <IconButton label={t.noPerson} onClick={() => setId(null)}>
            <X aria-hidden size={14} />
          </IconButton>
        </span>
      ) : (
        <PersonSearch onChosen={setId} />
      )}
      {facts && <FactChips facts={facts} />}
      <span className="ml-auto text-ink-2 max-md:hidden">{t.evaluatedHere}</span>
      {error && <Failure error={error} />}
    </section>
  )
}

const SHOWN = ['svc.status', 'svc.platform', 'svc.store', 'svc.trialDaysLeft']

function FactChips({ facts }: { facts: PersonFacts }) {
  const builtIns = SHOWN.flatMap((name) => (facts.builtIns[name] ? [`${name} = ${facts.builtIns[name]}`] : []))
  const own = Object.entries(facts.attributes).map(([name, value]) => `${name} = ${value}`)
  return (
    <span className="flex min-w-0 flex-wrap gap-1.5">
      {[...builtIns, ...own].slice(0, 6).map((text) => (
        <Chip key={text}>
          <span className="max-w-60 truncate font-mono">{text}</span>
        </Chip>
      ))}
    </span>
  )
}

function PersonSearch({ onChosen }: { onChosen: (id: string) => void }) {
  const t = useText('growth')
  const nameOf = useNameByKeys()
  const { path } = useProject()
  const [text, setText] = useState('')
  const found = useRead(
    '/dashboard/projects/{projectId}/subscribers',
    { params: { path, query: { limit: 6, ...(text !== '' && { q: text }) } } },
    { enabled: text !== '' },
  )
  const people = text === '' ? [] : (found.data?.items ?? [])
  return (
    <div className="relative w-64 max-w-full">
      <TextInput
        type="search"
        aria-label={t.findPerson}
        placeholder={t.findPerson}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      {text !== '' && found.data && (
        <ul className="absolute top-10 z-20 w-full rounded-control border border-line bg-raised p-1 shadow-float">
          {people.map(({ id, appUserId, deviceKey }) => (
            <li key={id}>
              <button
                type="button"
                onClick={() => onChosen(id)}
                className="min-h-8 w-full truncate rounded-inner px-2 text-left hover:bg-hover focus-visible:bg-hover"
              >
                <bdi>{nameOf({ id, appUserId, deviceKey })}</bdi>
              </button>
            </li>
          ))}
          {people.length === 0 && <li className="px-2 py-1.5 text-ink-2">{t.nobodyFound}</li>}
        </ul>
      )}
    </div>
  )
}
