import { type ReactNode, useEffect } from 'react'
import { Link } from 'wouter'
import { Mark } from '../../kit/mark'
import { Notices } from '../../shell/notices'

interface OutsideProps {
  title: string
  /** One or two lines below the title. */
  hint?: ReactNode
  /** Below the card: the ways to somewhere else. */
  below?: ReactNode
  isWide?: boolean
  children?: ReactNode
}

/** A screen before the sign-in: one card in the middle. */
export function Outside({ title, hint, below, isWide = false, children }: OutsideProps) {
  useEffect(() => {
    document.title = `${title} · svc`
  }, [title])
  return (
    <>
      <Notices />
      <main
        className={`mx-auto grid min-h-dvh w-full grid-cols-[minmax(0,1fr)] content-center gap-5 p-4 ${isWide ? 'max-w-lg' : 'max-w-sm'}`}
      >
        <header className="grid gap-3 px-1">
          <Mark className="size-8" />
          <div className="grid gap-1">
            <h1 className="text-xl font-semibold tracking-[-0.012em]">{title}</h1>
            {hint !== undefined && <div className="text-sm text-ink-2">{hint}</div>}
          </div>
        </header>
        {children !== undefined && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border border-line bg-surface p-5 shadow-card">
            {children}
          </div>
        )}
        {below !== undefined && <div className="grid gap-2 px-1 text-sm text-ink-2">{below}</div>}
      </main>
    </>
  )
}

export const TextLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="font-medium text-accent underline-offset-2 hover:underline">
    {children}
  </Link>
)
