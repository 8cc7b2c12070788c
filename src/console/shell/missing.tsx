import { useEffect } from 'react'
import { LinkButton } from '../kit/button'
import { useText } from '../text/catalogue'

/** An address without a screen, or of a project that is not there for this person. */
export function Missing() {
  const t = useText('common')
  useEffect(() => {
    document.title = `${t.notFoundTitle} · svc`
  }, [t])
  return (
    <div className="grid justify-items-center gap-2 px-4 py-10 text-center">
      <h1 className="text-md font-medium">{t.notFoundTitle}</h1>
      <p className="max-w-md text-sm text-ink-2">{t.notFoundHint}</p>
      <LinkButton href="/projects">{t.goToProjects}</LinkButton>
    </div>
  )
}
