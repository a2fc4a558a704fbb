/**
 * A certificate for `localhost`, 127.0.0.1 and `db.example` that signed itself, with its key: for servers of tests, trusted
 * by nobody who is not told to. PEM.
 */
export const testCertificate = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBdDCCARmgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjQwMTAxMDAwMDAwWhgPMjEyNDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABMa2kt0a+8afSHo/
Rj73VOxMpt/gKAyNJ9I6ncwrGgWHLEy6Vc7OzGcivx3nrQF27gcKUP9gjuaqKd+Y
G9NTUQajWjBYMCYGA1UdEQQfMB2CCWxvY2FsaG9zdIcEfwAAAYIKZGIuZXhhbXBs
ZTAPBgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBSxoUX/rLAJ1MqDZk7jqJ66F+nU
ljAKBggqhkjOPQQDAgNJADBGAiEA4ohh0+lPpVFxFt2Pv/4GqCxYNtT6LScw1wRw
ry+dD/kCIQCST4ugGcCm0K/OGFNy67uPKSc3uJTGj+vQeeJCl7MHcw==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5YjxNet1Wx4aovYu
rP88ZTheW+171EeWm+e94PtoBsShRANCAATGtpLdGvvGn0h6P0Y+91TsTKbf4CgM
jSfSOp3MKxoFhyxMulXOzsxnIr8d560Bdu4HClD/YI7mqinfmBvTU1EG
-----END PRIVATE KEY-----
`,
} as const;
