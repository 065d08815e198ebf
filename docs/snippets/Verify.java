import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Verify {
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    /** Takes X-Service-Timestamp, X-Service-Signature and the raw bytes of the body. */
    public static boolean isGenuine(String secret, String timestamp, String signature, byte[] body, Instant now)
            throws GeneralSecurityException {
        try {
            Duration age = Duration.between(Instant.parse(timestamp), now).abs();
            if (age.compareTo(TOLERANCE) > 0) return false;
        } catch (DateTimeException | ArithmeticException notATime) {
            return false;
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        mac.update((timestamp + ".").getBytes(UTF_8));
        String expected = "sha256=" + HexFormat.of().formatHex(mac.doFinal(body));
        return MessageDigest.isEqual(expected.getBytes(UTF_8), signature.getBytes(UTF_8));
    }
}
