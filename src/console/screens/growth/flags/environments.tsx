import { ENVIRONMENTS, type FlagEnvironment } from '../../../../core/flag/names'
import type { Edit } from '../../../kit/edit'
import { useParams } from '../../../lib/url-state'
import { CompareDialog } from './compare'
import { EnvironmentCard } from './environment-card'
import type { EnvironmentState, FlagState } from './model'
import type { PersonFacts } from './preview-as'
import { RuleSheet } from './rule-sheet'

interface FlagEnvironmentsProps {
  flagKey: string
  edit: Edit<FlagState>
  person: PersonFacts | null
}

/** The environments side by side. */
export function FlagEnvironments({ flagKey, edit, person }: FlagEnvironmentsProps) {
  const { draft } = edit
  const [params, setParams] = useParams()
  const setEnvironment = (env: FlagEnvironment, state: EnvironmentState | null) =>
    draft.set((flag) => ({ ...flag, environments: { ...flag.environments, [env]: state } }))
  const opened = ENVIRONMENTS.find((env) => env === params.get('in'))
  const state = opened && draft.value.environments[opened]
  const rule = state?.rules.find(({ uid }) => uid === params.get('rule'))
  const close = () => setParams({ do: null, in: null, rule: null, with: null })
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-3">
        {ENVIRONMENTS.map((env) => (
          <EnvironmentCard
            key={env}
            env={env}
            flagKey={flagKey}
            edit={edit}
            person={person}
            onChange={(next) => setEnvironment(env, next)}
          />
        ))}
      </div>
      {params.get('do') === 'rule' && opened && state && rule && (
        <RuleSheet
          rule={rule}
          env={opened}
          onClose={close}
          onChange={(next) =>
            setEnvironment(opened, {
              ...state,
              rules: state.rules.map((one) => (one.uid === next.uid ? next : one)),
            })
          }
        />
      )}
      {params.get('do') === 'compare' && opened && (
        <CompareDialog env={opened} flag={draft.value} onClose={close} onCopy={setEnvironment} />
      )}
    </>
  )
}
