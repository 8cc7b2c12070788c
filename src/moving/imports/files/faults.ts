/** A file cannot be read as a whole. The message is one sentence for the person who sent it. */
export class ImportUnreadable extends Error {}
