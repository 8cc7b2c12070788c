import type { ReactNode } from 'react'
import { useAction } from '../api/queries'
import { Confirm } from '../kit/dialog'
import { toast } from '../kit/toast'

interface RemovalProps {
  title: string
  /** What follows from it. */
  effect: ReactNode
  /** The words on the button. */
  word: string
  /** What is said afterwards. */
  done: string
  run: () => Promise<unknown>
  /** The path of the list that it is taken from. */
  list: string
  onClose: () => void
}

/** Asks before something is taken out of a list, and takes it out. */
export function Removal({ title, effect, word, done, run, list, onClose }: RemovalProps) {
  const action = useAction({
    run,
    refreshes: [list],
    onDone: () => {
      onClose()
      toast(done)
    },
  })
  return (
    <Confirm
      title={title}
      action={word}
      busy={action.busy}
      error={action.error}
      onClose={onClose}
      onConfirm={() => action.submit(undefined)}
    >
      {effect}
    </Confirm>
  )
}
