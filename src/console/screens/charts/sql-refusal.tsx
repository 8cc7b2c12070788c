import { ApiFailure } from '../../api/failure'
import { Button } from '../../kit/button'
import { FormFailure } from '../../kit/failure'
import { useText } from '../../text/catalogue'

interface RefusalProps {
  error: Error
  onGoTo: (line: number, column: number) => void
}

/** Why a query was refused, and the way to the place of the reason. */
export function Refusal({ error, onGoTo }: RefusalProps) {
  const t = useText('charts')
  const reason = error instanceof ApiFailure ? error.details.reason : null
  const place = /\(line (\d+), column (\d+)\)/.exec(error.message)
  return (
    <div className="grid justify-items-start gap-2">
      {typeof reason === 'string' && t.sqlReasons[reason] && <p className="text-sm">{t.sqlReasons[reason]}</p>}
      <FormFailure error={error} />
      {place?.[1] && place[2] && (
        <Button onClick={() => onGoTo(Number(place[1]), Number(place[2]))}>{t.goToError(place[1], place[2])}</Button>
      )}
    </div>
  )
}
