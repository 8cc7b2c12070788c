import { useState } from 'react'
import { api } from '../../../api/client'
import { Checkbox, Field, Select } from '../../../kit/field'
import { useProject } from '../../../lib/session'
import { Removal } from '../../../parts/removal'
import { useText } from '../../../text/catalogue'
import { valueText } from '../flags/model'
import { type ExperimentView, variantsOf } from './model'
import { REFRESHES } from './use-experiment-edit'

interface StopProps {
  experiment: ExperimentView
  reason: string | null
  onClose: () => void
}

/** The decision: which variant won, and whether its value becomes a flag. It is final. */
export function StopDialog({ experiment, reason, onClose }: StopProps) {
  const t = useText('growth')
  const { path } = useProject()
  const { id, key, type, revision } = experiment
  const variants = variantsOf(experiment)
  const [winner, setWinner] = useState('')
  const [wantsFlag, setFlag] = useState(true)
  const chosen = variants.find((variant) => variant.id === winner)
  const promotes = type === 'FLAG' && wantsFlag && chosen !== undefined
  return (
    <Removal
      title={t.stopTitle}
      word={t.stopAction}
      done={t.statuses.COMPLETED}
      run={() =>
        api.post('/dashboard/projects/{projectId}/experiments/{id}/stop', {
          params: { path: { ...path, id } },
          headers: { 'If-Match': `"${revision}"` },
          body: { winnerVariantId: winner === '' ? null : winner, promoteToFlag: promotes },
        })
      }
      refreshes={[...REFRESHES, '/dashboard/projects/{projectId}/feature-flags']}
      reason={reason}
      onClose={onClose}
    >
      <p>{t.stopEffect}</p>
      <Field label={t.winner}>
        <Select
          value={winner}
          onChange={({ target }) => setWinner(target.value)}
          options={[['', t.noWinner], ...variants.map((variant) => [variant.id, variant.name] as const)]}
        />
      </Field>
      {type === 'FLAG' && (
        <Checkbox
          label={t.promote(key)}
          checked={promotes}
          disabled={chosen === undefined}
          onChange={(isOn) => setFlag(isOn)}
        />
      )}
      <p className="text-ink">
        {promotes ? t.afterPromotion(key, valueText(chosen.value)) : type === 'FLAG' ? t.afterStopFlag : t.afterStop}
      </p>
    </Removal>
  )
}
