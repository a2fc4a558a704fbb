/** Length of what a key of 2048 bits makes, base64. */
const CIPHERTEXT = 344;

/**
 * Encrypts digits by RSAES-PKCS1-v1_5, as the provider's own sample does. The one place that knows the padding.
 * @param publicKey SubjectPublicKeyInfo, base64; as it is pasted, line breaks and all
 * @returns base64, another text each time; undefined where the key is none
 */
export async function encryptDigits(publicKey: string, digits: string): Promise<string | undefined> {
  const key = publicKey.replace(/\s/g, '');
  // Without a key the library makes one of its own, whose ciphertext nobody can read.
  if (key === '') return undefined;
  const { JSEncrypt } = await import('jsencrypt');
  const rsa = new JSEncrypt();
  try {
    rsa.setPublicKey(key);
    const made = rsa.encrypt(digits);
    return typeof made === 'string' && made.length === CIPHERTEXT ? made : undefined;
  } catch {
    return undefined;
  }
}
