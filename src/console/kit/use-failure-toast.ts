import { ApiFailure } from '../api/failure'
import { useText } from '../text/catalogue'
import { messageOf, refusalIn } from './failure-words'
import { toast } from './toast'

/** Says why an act was refused, in the language of the person. Below it are the server’s sentence and the request. */
export function useFailureToast(): (error: Error) => void {
  const t = useText('common')
  return (error) => {
    const refusal = refusalIn(error, t.refusals)
    const said = refusal === null ? [] : [error.message]
    const detail = [...said, ...factsOf(error)].join(' ')
    toast(refusal ?? messageOf(error, t.unreachableWrite), { isBad: true, ...(detail !== '' && { detail }) })
  }
}

const factsOf = (error: Error): string[] =>
  error instanceof ApiFailure ? [`(${[error.code, error.requestId].filter(Boolean).join(', ')})`] : []
