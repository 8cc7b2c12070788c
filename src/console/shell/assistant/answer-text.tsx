import { Fragment } from 'react'
import { Link } from 'wouter'
import { type Marks, partsOf } from '../../lib/marks'
import { useProject } from '../../lib/session'
import { hrefOfId } from '../objects'

/** A text of a person or of the model. Only names and ids of this project become more than text. */
export const AnswerText = ({ text, marks }: { text: string; marks: Marks }) => (
  <p className="wrap-anywhere whitespace-pre-wrap">
    {partsOf(text, marks).map(({ kind, text: part, subscriberId }, at) => {
      if (kind === 'id') return <IdLink key={at} id={part} />
      if (kind === 'text') return <Fragment key={at}>{part}</Fragment>
      return <Name key={at} text={part} subscriberId={subscriberId ?? null} />
    })}
  </p>
)

const LINK = 'text-accent hover:underline'

function Name({ text, subscriberId }: { text: string; subscriberId: string | null }) {
  const { base } = useProject()
  if (subscriberId === null) return <bdi>{text}</bdi>
  return (
    <Link href={`${base}/subscribers/${encodeURIComponent(subscriberId)}`} className={LINK}>
      <bdi>{text}</bdi>
    </Link>
  )
}

export function IdLink({ id }: { id: string }) {
  const href = hrefOfId(useProject().base, id)
  if (href === null) return <>{id}</>
  return (
    <Link href={href} className={`${LINK} font-mono text-xs`} title={id}>
      {id.length > 18 ? `${id.slice(0, 12)}…${id.slice(-4)}` : id}
    </Link>
  )
}
