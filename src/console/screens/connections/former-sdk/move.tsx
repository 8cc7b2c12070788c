import { Link } from 'wouter'
import { Card, Stack } from '../../../kit/card'
import { Code } from '../../../kit/copy'
import { useProject } from '../../../lib/session'
import { useText } from '../../../text/catalogue'
import { linesTo } from './model'

const GUIDE = '/docs/guide/former-sdk'

/** The order in which a team moves, while no app is answered yet. */
export function MoveOrder() {
  const t = useText('moving')
  const { base } = useProject()
  const steps: readonly (readonly [text: string, href: string | null])[] = [
    [t.moveSteps.import, '/connections/imports'],
    [t.moveSteps.forward, '/connections/forwarding'],
    [t.moveSteps.answer, null],
    [t.moveSteps.compare, '/connections/comparisons'],
    [t.moveSteps.switch, null],
  ]
  return (
    <Stack>
      <Card title={t.moveOrder}>
        <ol className="grid list-decimal gap-2 pl-5 text-sm">
          {steps.map(([text, href]) => (
            <li key={text}>
              {href === null ? (
                text
              ) : (
                <Link href={`${base}${href}`} className="text-accent underline">
                  {text}
                </Link>
              )}
            </li>
          ))}
        </ol>
        <p className="mt-3 text-sm text-ink-2">
          <a href={GUIDE} target="_blank" rel="noreferrer" className="text-accent underline">
            {t.moveGuide}
          </a>
        </p>
      </Card>
      <ProxyLines />
    </Stack>
  )
}

/** The one line that an app changes. */
export function ProxyLines() {
  const t = useText('moving')
  return (
    <Card title={t.proxyLine}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="text-sm text-ink-2">{t.proxyLineHint}</p>
        {linesTo(location.origin).map(([sdk, line]) => (
          <Code key={sdk} label={sdk} text={line} />
        ))}
      </div>
    </Card>
  )
}
