/** The queries of the inbox that other slices use. */
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
