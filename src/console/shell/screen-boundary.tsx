import { Component, type ComponentProps, type ReactNode } from 'react'
import { Button } from '../kit/button'
import { Failure } from '../kit/failure'
import { useText } from '../text/catalogue'
import { PartMissing } from './server-state'

interface State {
  error: Error | null
  /** The address at which it failed: another one is tried anew. */
  at: string
}

interface Props {
  /** It has no frame. */
  isOutermost?: boolean
  children: ReactNode
}

/** Catches every failure of a screen and shows a way to continue. */
export class ScreenBoundary extends Component<Props, State> {
  override state: State = { error: null, at: location.pathname }

  static getDerivedStateFromError(error: Error): State {
    return { error, at: location.pathname }
  }

  override componentDidMount() {
    for (const kind of MOVES) addEventListener(kind, this.leave)
  }

  override componentWillUnmount() {
    for (const kind of MOVES) removeEventListener(kind, this.leave)
  }

  leave = () => {
    const { error, at } = this.state
    if (error && at !== location.pathname) this.setState({ error: null })
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    // The texts of the frame may be missing.
    if (this.props.isOutermost) return <Bare error={error} />
    if (error instanceof PartMissing) return <Gone />
    return <Broken error={error} onRetry={() => this.setState({ error: null })} />
  }
}

/** Where a screen would be: why there is none. */
export function Broken(props: ComponentProps<typeof Failure>) {
  const t = useText('common')
  return (
    <div className="p-6">
      <h1 className="sr-only">{t.failed}</h1>
      <Failure {...props} />
    </div>
  )
}

const MOVES = ['popstate', 'pushState', 'replaceState']

function Gone() {
  const t = useText('common')
  return (
    <div role="alert" className="grid justify-items-center gap-3 p-10 text-center text-sm">
      <h1 className="text-md font-medium">{t.partMissing}</h1>
      <p className="max-w-md text-ink-2">{t.partMissingHint}</p>
      <Button variant="primary" onClick={() => location.reload()}>
        {t.reload}
      </Button>
    </div>
  )
}

const Bare = ({ error }: { error: Error }) => (
  <main className="grid justify-items-center gap-3 p-10 text-center text-sm">
    <h1 className="text-md font-medium">The console cannot go on: {error.message}</h1>
    <button type="button" className="min-h-6 text-accent underline" onClick={() => location.reload()}>
      Reload
    </button>
  </main>
)
