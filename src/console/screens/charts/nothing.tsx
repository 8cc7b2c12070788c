import { Empty } from '../../kit/empty'
import { SandboxNote, useSandboxAlone } from '../../parts/sandbox-note'
import { useText } from '../../text/catalogue'
import type { Asked } from './asked'

/** Where a chart has nothing to draw, and why. */
export function Nothing({ asked: { chart } }: { asked: Asked }) {
  const t = useText('charts')
  const isSandboxAlone = useSandboxAlone(chart.filters.includes('environment'))
  return <Empty title={t.empty}>{isSandboxAlone ? <SandboxNote /> : t.emptyHint}</Empty>
}
