/** What other slices of the intake ask of the inbox. */
export {
  findByNotification,
  findCatchup,
  findStoreEvent,
  listRetryDue,
  listStoreEventIds,
  listStoreEvents,
  type StoreEventFilter,
  type StoreEventRow,
  saveCatchup,
} from './queries'
