using System;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

public static class Webhooks
{
    private static readonly TimeSpan Tolerance = TimeSpan.FromMinutes(5);

    /// <summary>Takes X-Service-Timestamp, X-Service-Signature and the raw bytes of the body.</summary>
    public static bool IsGenuine(string secret, string timestamp, string signature, byte[] body, DateTimeOffset now)
    {
        var utc = DateTimeStyles.AssumeUniversal;
        if (!DateTimeOffset.TryParse(timestamp, CultureInfo.InvariantCulture, utc, out var sent)
            || (now - sent).Duration() > Tolerance)
        {
            return false;
        }
        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
        {
            var head = Encoding.UTF8.GetBytes(timestamp + ".");
            hmac.TransformBlock(head, 0, head.Length, null, 0);
            hmac.TransformFinalBlock(body, 0, body.Length);
            var expected = "sha256=" + BitConverter.ToString(hmac.Hash).Replace("-", "").ToLowerInvariant();
            return CryptographicOperations.FixedTimeEquals(
                Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(signature));
        }
    }
}
