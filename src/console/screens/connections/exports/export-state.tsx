import type { Schemas } from '../../../api/schemas'
import { State, toneOf } from '../../../kit/state'
import { useText } from '../../../text/catalogue'

type Run = Schemas['DataExport']

export function ExportState({ run: { status } }: { run: Pick<Run, 'status'> }) {
  const t = useText('moving')
  return (
    <State tone={toneOf(status)} live={status === 'RUNNING'}>
      {t.runStates[status]}
    </State>
  )
}
