import type { Column } from '../../../kit/table'
import { Time } from '../../../kit/values'
import { useText } from '../../../text/catalogue'
import { FlagSwitch } from './flag-switch'
import type { FlagRow } from './grouped'
import { ENVIRONMENTS } from './model'

/** A flag in the list: one column for each environment, with its switch. */
export function useFlagColumns(reason: string | null): Column<FlagRow>[] {
  const t = useText('growth')
  const common = useText('common')
  return [
    { title: t.flagKey, cell: ({ key }) => <span className="font-mono">{key}</span>, whole: ({ key }) => key },
    { title: t.valueType, cell: ({ type }) => t.types[type], isExtra: true },
    ...ENVIRONMENTS.map((env) => ({
      title: t.environments[env],
      cell: (row: FlagRow) => <FlagSwitch row={row} env={env} reason={reason} />,
    })),
    { title: common.updatedAt, cell: ({ updatedAt }) => <Time at={updatedAt} />, isExtra: true },
  ]
}
