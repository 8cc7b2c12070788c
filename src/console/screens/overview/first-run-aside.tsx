import { Globe, type LucideIcon, Play, Smartphone, Upload } from 'lucide-react'
import { Link } from 'wouter'
import { Card } from '../../kit/card'
import { Money } from '../../kit/values'
import { useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

/** Beside the steps: what the project will look like, and what can be done later. */
export function Aside() {
  const t = useText('signIn')
  const { base } = useProject()
  const later: [LucideIcon, string, string, string][] = [
    [Smartphone, t.connectIos, `${base}/connections`, t.minutes(5)],
    [Play, t.connectAndroid, `${base}/connections`, t.minutes(10)],
    [Globe, t.connectPayment, `${base}/connections`, t.minutes(1)],
    [Upload, t.bringData, `${base}/connections/imports`, 'CSV'],
  ]
  return (
    <>
      <section className="overflow-hidden rounded-card border border-line bg-surface pt-4 shadow-card">
        <div className="px-4 text-ink-2">
          <h2 className="text-sm">{t.revenue30}</h2>
          <p className="text-2xl font-medium tracking-[-0.022em]">
            <Money micros={0} currency="USD" />
          </p>
        </div>
        <Rising />
      </section>
      <Card title={t.canWait} flush>
        <ul className="divide-y divide-line">
          {later.map(([Icon, name, href, time]) => (
            <li key={name}>
              <Link
                href={href}
                className="flex min-h-10 items-center gap-3 px-4 text-sm -outline-offset-2 hover:bg-hover"
              >
                <Icon aria-hidden size={15} className="text-ink-2" />
                <span className="min-w-0 flex-1 truncate">{name}</span>
                <span className="text-ink-2">{time}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Card>
      <p className="px-1 text-xs text-ink-2">{t.nothingLeaves}</p>
    </>
  )
}

const HEIGHTS = [8, 12, 10, 16, 14, 21, 19, 26, 24, 32, 29, 39, 36, 47, 44, 55]

/** Bars without numbers: the place of the chart. */
const Rising = () => (
  <svg viewBox="0 0 320 64" preserveAspectRatio="none" aria-hidden="true" className="mt-2 h-16 w-full">
    {HEIGHTS.map((height, index) => (
      <rect
        key={height}
        x={index * 20 + 3}
        y={64 - height}
        width={14}
        height={height}
        fill="var(--d3)"
        opacity={0.2 + index * 0.03}
      />
    ))}
  </svg>
)
