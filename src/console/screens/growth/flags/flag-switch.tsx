import { useState } from 'react'
import type { FlagEnvironment } from '../../../../core/flag/names'
import { api } from '../../../api/client'
import { useAction } from '../../../api/queries'
import { Switch } from '../../../kit/field'
import { toast } from '../../../kit/toast'
import { useFailureToast } from '../../../kit/use-failure-toast'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import type { FlagRow } from './grouped'
import { valueText } from './model'

interface FlagSwitchProps {
  row: FlagRow
  env: FlagEnvironment
  reason: string | null
}

const REFRESHES = ['/dashboard/projects/{projectId}/feature-flags', '/dashboard/projects/{projectId}/project-file']

/** The switch of a flag in one environment. It moves at once, and can be moved back for ten seconds. */
export function FlagSwitch({ row, env, reason }: FlagSwitchProps) {
  const t = useText('growth')
  const failed = useFailureToast()
  const { path } = useProject()
  const view = row.environments[env]
  const [wanted, setWanted] = useState<boolean | null>(null)
  const name = `${row.key}, ${t.environments[env]}`
  const toggle = (isEnabled: boolean, headers: Record<string, string>) =>
    api.post('/dashboard/projects/{projectId}/feature-flags/{id}/toggle', {
      params: { path: { ...path, id: view?.id ?? '' } },
      headers,
      body: { isEnabled },
    })
  const fail = (error: Error) => {
    setWanted(null)
    failed(error)
  }
  const back = useAction({
    run: (isEnabled: boolean) => toggle(isEnabled, {}),
    refreshes: REFRESHES,
    onFailure: fail,
  })
  const action = useAction({
    run: ({ isEnabled, revision }: { isEnabled: boolean; revision: number }) =>
      toggle(isEnabled, { 'If-Match': `"${revision}"` }),
    refreshes: REFRESHES,
    onDone: (_, { isEnabled }) => {
      setWanted(null)
      toast(isEnabled ? t.switchedOn(name) : t.switchedOff(name), { onUndo: () => back.submit(!isEnabled) })
    },
    onFailure: fail,
  })
  if (!view) return <span className="text-ink-3">—</span>
  const change = (isEnabled: boolean) => {
    setWanted(isEnabled)
    action.submit({ isEnabled, revision: view.revision })
  }
  const rules = view.rules.length
  return (
    <span className="inline-flex items-center gap-2" title={reason ?? undefined}>
      <Switch checked={wanted ?? view.isEnabled} label={name} hideLabel disabled={reason !== null} onChange={change} />
      <span className="max-w-40 truncate font-mono text-xs text-ink-2 max-md:hidden">
        {rules > 0 ? t.ruleCount(rules) : valueText(view.defaultValue)}
      </span>
    </span>
  )
}
