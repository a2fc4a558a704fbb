const kinds: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/csv',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  xml: 'application/xml',
  pdf: 'application/pdf',
  gz: 'application/gzip',
};

/** The content type that the server takes a file by, told by how its name ends; what it is, the content tells. */
export const kindOfFile = (name: string): string =>
  kinds[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
