/** The path of a file on this host, whatever host its links have: the policy of the console allows no other one. */
export const pathOf = ({ url }: { url: string }): string => new URL(url).pathname
