import { Code } from '../../../kit/copy'

/** A value as JSON, or the text as it is when it is none. */
export const Json = ({ value, label }: { value: unknown; label?: string }) => (
  <Code text={JSON.stringify(value, null, 2) ?? ''} {...(label !== undefined && { label })} />
)

export function JsonText({ text, label }: { text: string; label?: string }) {
  return <Code text={pretty(text)} {...(label !== undefined && { label })} />
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // Not JSON, such as a form or a signed token.
  }
}
