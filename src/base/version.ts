/** Version of the executable and of the interface description. */
export const VERSION = '1.0.0'
