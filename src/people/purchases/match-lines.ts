/** A recorded line of a chain. */
export interface HeldLine {
  id: string
  /** Empty when the store has not named it yet. */
  lineKey: string
  formerLineKeys: readonly string[] | null
  storeProductId: string
  pendingStoreProductId: string | null
  /** The store has ended it, so that nothing replaces it. */
  isEnded: boolean
  /** Its end has passed, so that only the product that was announced for the next period replaces it. */
  isOver: boolean
}

/** A line of the same chain, as the store reports it. */
export interface ReportedLine {
  /** Empty when the store does not name it. */
  lineKey: string
  storeProductId: string
  /** False when only its earlier charges are known. */
  isPresent: boolean
}

/** One line after a report. */
export interface MatchedLine<Reported> {
  /** Null for a line that is new. */
  heldId: string | null
  lineKey: string
  /** What the store reports about it; none for a line that the store no longer has. */
  reported: Reported[]
  isPresent: boolean
}

/**
 * Which recorded lines the reported ones are. A line is known by its key, or by that of an item that it replaced. A line
 * without a key becomes the line whose product it has, else the first. An item that comes while another one goes replaces
 * it: at any store the product that was announced for the next period; with `inOrder` any other, the first the first.
 */
export function matchLines<Reported extends ReportedLine>(
  held: readonly HeldLine[],
  reported: readonly Reported[],
  inOrder: boolean,
): MatchedLine<Reported>[] {
  const lines = held.map((one) => ({ one, own: reported.filter((line) => isKnownAs(one, line)) }))
  const isOpen = (line: Reported) => lines.every(({ own }) => !own.includes(line))
  for (const { one, own } of lines) {
    if (one.lineKey !== '' || own.length > 0) continue
    const adopted = pick(reported.filter(isOpen), one.storeProductId)
    if (adopted) own.push(adopted)
  }
  for (const line of reported.filter((one) => one.lineKey === '' && isOpen(one)))
    (lines.find(({ one }) => one.storeProductId === line.storeProductId) ?? lines[0])?.own.push(line)
  const going = lines.filter(({ one, own }) => !one.isEnded && own.every(({ isPresent }) => !isPresent))
  for (const line of going) {
    const coming = reported.filter((one) => one.isPresent && isOpen(one))
    const next = coming.find(({ storeProductId }) => isAnnounced(storeProductId, line.one.pendingStoreProductId))
    const replacement = next ?? (inOrder && !line.one.isOver ? coming[0] : undefined)
    if (replacement) line.own.push(replacement)
  }
  const known = lines.map(({ one, own }) => ({ heldId: one.id, ...afterwards(own, one.lineKey) }))
  return [...known, ...reported.filter(isOpen).map((line) => ({ heldId: null, ...afterwards([line], line.lineKey) }))]
}

/** Google may announce a product without the base plan that it turns out to have. */
const isAnnounced = (storeProductId: string, pending: string | null): boolean =>
  pending !== null && (storeProductId === pending || storeProductId.startsWith(`${pending}:`))

const isKnownAs = ({ lineKey, formerLineKeys }: HeldLine, line: ReportedLine): boolean =>
  line.lineKey !== '' && (line.lineKey === lineKey || (formerLineKeys ?? []).includes(line.lineKey))

/** The line to adopt: one that is still there comes first, then one of the same product. */
function pick<Reported extends ReportedLine>(open: readonly Reported[], storeProductId: string): Reported | undefined {
  const present = open.filter(({ isPresent }) => isPresent)
  const isSame = (line: Reported) => line.storeProductId === storeProductId
  return present.find(isSame) ?? open.find(isSame) ?? present[0] ?? open[0]
}

function afterwards<Reported extends ReportedLine>(own: Reported[], lineKey: string) {
  const present = own.findLast((line) => line.isPresent)
  return {
    lineKey: present?.lineKey || own.at(-1)?.lineKey || lineKey,
    reported: own,
    isPresent: present !== undefined,
  }
}
