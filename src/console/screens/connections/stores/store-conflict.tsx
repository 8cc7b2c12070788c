import { Conflict } from '../shared/conflict'

interface StoreConflictProps {
  error: Error | null
  onLoad: () => void
  onOverwrite: (revision: number) => void
}

/** Credentials are never shown, so only who changed them and when can be said. */
export const StoreConflict = (props: StoreConflictProps) => <Conflict {...props} before={{}} now={null} />
